import { useMutation } from '@tanstack/react-query';
import { ScanEye, ScrollText, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { plural } from '#shared/plural.ts';
import { api } from '../../../lib/api.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { useSiteConfig } from '../../../lib/site.ts';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { adminRequest, showFailure } from '../admin-session.ts';

interface ActProps {
  id: string;
  title: string;
  Icon: LucideIcon;
  action: string;
  busy: string;
  failure: string;
  /** Does it, and says what came of it. */
  run: () => Promise<string>;
  children: ReactNode;
}

/** A daily job, done now. */
function Act({ id, title, Icon, action, busy, failure, run, children }: ActProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: run,
    onSuccess: (description) => toast({ title: 'Done', description, variant: 'success' }),
    onError: (error) => showFailure('Error', error, failure),
    onSettled: () =>
      Promise.all(
        [queries.trust(), queries.record()].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  return (
    <Card aria-labelledby={id} className="grid content-start gap-3">
      <CardTitle id={id} icon={<Icon aria-hidden size={20} className="text-link" />}>
        {title}
      </CardTitle>
      <p className="text-muted">{children}</p>
      <Button className="justify-self-start" busy={isPending ? busy : false} onClick={() => mutate()}>
        {action}
      </Button>
    </Card>
  );
}

async function readBalances(): Promise<string> {
  const { wallets, standing, unread } = await adminRequest((headers) => api.readStandingNow({ headers }));
  const missed = unread === 0 ? '' : `, ${unread.toLocaleString()} could not be read`;
  return `${standing.toLocaleString()} of ${plural(wallets, 'wallet')} held enough SUI${missed}`;
}

async function publish(): Promise<string> {
  const { size } = await adminRequest((headers) => api.publishRecord({ headers }));
  return `The record has ${plural(size, 'entry', 'entries')} now`;
}

/** Runs the daily jobs of standing and record on request: only a local chain allows it at any moment (R37, R40). */
export function JobsNow() {
  if (useSiteConfig()?.network !== 'localnet') return null;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Act
        id="read-now"
        title="Readings of balances"
        Icon={ScanEye}
        action="Read balances now"
        busy="Reading..."
        failure="Failed to read the balances"
        run={readBalances}
      >
        A job reads the balances of all voters twice a day. On this local chain it can be done now.
      </Act>
      <Act
        id="publish-now"
        title="Public record"
        Icon={ScrollText}
        action="Publish now"
        busy="Publishing..."
        failure="Failed to publish the record"
        run={publish}
      >
        A job publishes each day shortly after midnight UTC. On this local chain it can be done now.
      </Act>
    </div>
  );
}
