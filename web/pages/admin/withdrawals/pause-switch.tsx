import { useMutation, useQuery } from '@tanstack/react-query';
import { CirclePause, CirclePlay } from 'lucide-react';
import { useId } from 'react';
import { WITHDRAWALS_PAUSED } from '#shared/constants.ts';
import { api } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toast.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { adminQueries } from '../admin-queries.ts';
import { adminRequest } from '../admin-session.ts';
import type { EndpointName } from '#shared/endpoints.ts';
import { mayCall, type Role } from '#shared/roles.ts';
import { useSessionUser } from '../../../lib/session.ts';

/** The role of the session's user in the admin panel, for display; the server decides on every call (R54). */
const useRole = (): Role | null => useSessionUser()?.role ?? null;

/** Whether the role allows the call, so that a control for it makes sense. */
function useMayCall(name: EndpointName): boolean {
  const role = useRole();
  return role !== null && mayCall(role, name);
}

function setPaused(pause: boolean) {
  const body = { configKey: WITHDRAWALS_PAUSED, configValue: pause ? 'true' : 'false' } as const;
  return adminRequest((headers) => api.setConfig({ body, headers }));
}

/** Pauses and resumes withdrawals; voting continues (S4.8, S8.19, S8.21). */
export function PauseSwitch() {
  const id = useId();
  const mayPause = useMayCall('setConfig');
  const { data: paused } = useQuery(adminQueries.paused());
  const { mutate, isPending } = useMutation({
    mutationFn: setPaused,
    onSuccess: ({ configValue }) => {
      const isPaused = configValue === 'true';
      queryClient.setWritten(adminQueries.paused().queryKey, isPaused);
      void queryClient.invalidateQueries({ queryKey: ['/api/withdrawals'] });
      toast({
        title: isPaused ? 'Withdrawals Paused' : 'Withdrawals Resumed',
        description: isPaused ? 'Users cannot withdraw, but still earn by voting.' : 'Users can withdraw again.',
        variant: 'success',
      });
    },
    onError: () => toast({ title: 'Error', description: 'Failed to toggle withdrawal pause', variant: 'destructive' }),
  });
  return (
    <section aria-label="Withdrawal pause" className="panel flex flex-wrap items-center gap-x-5 gap-y-3 p-5">
      {paused ? (
        <CirclePause aria-hidden size={28} className="text-warn" />
      ) : (
        <CirclePlay aria-hidden size={28} className="text-bull" />
      )}
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <p id={id} className="font-semibold">
          Pause withdrawals
        </p>
        <p className="text-sm text-muted">
          While paused, users cannot withdraw but still earn by voting.
          {mayPause ? null : ' Only the owner changes this.'}
        </p>
      </div>
      {paused === undefined ? null : <Badge tone={paused ? 'warn' : 'bull'}>{paused ? 'Paused' : 'Active'}</Badge>}
      <Switch
        labelledBy={id}
        checked={paused ?? false}
        disabled={paused === undefined || isPending || !mayPause}
        onChange={(next) => mutate(next)}
      />
    </section>
  );
}
