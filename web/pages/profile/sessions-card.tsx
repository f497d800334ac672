import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dayText } from '#shared/text/day-text.ts';
import type { SessionInfo } from '#shared/contract/auth.ts';
import { api } from '../../lib/api.ts';
import { Read } from '../../components/states/read.tsx';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { queries, queryClient } from '../../lib/queries.ts';
import { toast } from '../../lib/toast.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { loadable } from '../../lib/loadable.tsx';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { disconnectWallet } from '../../wallet-gate.ts';
import { toastError } from '../../lib/toast-error.ts';

const signOut = loadable(async () => (await import('./sign-out-dialog.tsx')).SignOutDialog);

interface SessionRowProps {
  session: SessionInfo;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { device, isCurrent, signedInAt, lastSeenAt } = session;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-4 last:border-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold wrap-anywhere">
          {device}
          {isCurrent ? <Badge>This device</Badge> : null}
        </p>
        <p className="text-sm text-muted">
          Signed in {dayText(signedInAt)} · Last seen {isCurrent ? 'now' : <RelativeTime iso={lastSeenAt} />}
        </p>
      </div>
      <Button
        variant="secondary"
        busy={isEnding ? 'Signing out…' : false}
        aria-label={isCurrent ? 'Sign out this device' : `Sign out ${device}`}
        onClick={onEnd}
      >
        Sign out
      </Button>
    </li>
  );
}

function Loading() {
  return (
    <div className="grid gap-3">
      <p className="text-muted">Loading sessions...</p>
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-14 w-full" />
    </div>
  );
}

function useEndSession(userId: number) {
  return useMutation({
    mutationFn: async ({ id, isCurrent }: SessionInfo): Promise<void> => {
      if (isCurrent) return disconnectWallet();
      await api.endSession({ params: { id } });
      toast({ title: 'Signed out', description: 'That session has ended.', variant: 'success' });
    },
    onError: (error) => toastError('Sign-out failed', error, 'The session could not be ended'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queries.sessions(userId).queryKey }),
  });
}

export function SessionsCard({ userId }: { userId: number }) {
  const [isAsking, setAsking] = useState(false);
  const end = useEndSession(userId);
  return (
    <Card aria-labelledby="sessions">
      <CardTitle id="sessions">Where you are signed in</CardTitle>
      <Read of={queries.sessions(userId)} skeleton={<Loading />}>
        {(sessions) => (
          <>
            <ul>
              {sessions.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  isEnding={end.isPending && end.variables.id === session.id}
                  onEnd={() => end.mutate(session)}
                />
              ))}
            </ul>
            <Button variant="secondary" className="mt-2 justify-self-start" onClick={() => setAsking(true)}>
              Sign out everywhere
            </Button>
          </>
        )}
      </Read>
      {isAsking ? (
        <OnDemand name="The dialog" onRetry={signOut.retry} className="mt-4">
          <signOut.Part userId={userId} onClose={() => setAsking(false)} />
        </OnDemand>
      ) : null}
    </Card>
  );
}
