import { useQuery } from '@tanstack/react-query';
import { CirclePause, CirclePlay } from 'lucide-react';
import { useId } from 'react';
import { WITHDRAWALS_PAUSED } from '#shared/constants.ts';
import { mayCall } from '#shared/people/roles.ts';
import { api } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/queries.ts';
import { useSessionUser } from '../../../lib/session.ts';
import { Switch } from '../../../ui/switch.tsx';
import { useAct } from '../act.tsx';
import { adminQueries } from '../admin-queries.ts';

export function PauseSwitch() {
  const id = useId();
  const role = useSessionUser()?.role;
  const mayPause = role !== undefined && mayCall(role, 'setConfig');
  const { data: paused } = useQuery(adminQueries.paused());
  const { mutate, isPending } = useAct({
    call: (headers, pause: boolean) =>
      api.setConfig({ body: { configKey: WITHDRAWALS_PAUSED, configValue: pause ? 'true' : 'false' }, headers }),
    done: ({ configValue }) => {
      const isPaused = configValue === 'true';
      queryClient.setWritten(adminQueries.paused().queryKey, isPaused);
      return isPaused
        ? { title: 'Withdrawals Paused', description: 'Users cannot withdraw, but still earn by voting.' }
        : { title: 'Withdrawals Resumed', description: 'Users can withdraw again.' };
    },
    failed: 'Failed to toggle withdrawal pause',
  });
  return (
    <section aria-label="Withdrawal pause" className="panel flex items-center gap-4 p-4 sm:gap-5 sm:p-5">
      {paused ? (
        <CirclePause aria-hidden size={28} className="shrink-0 text-text" />
      ) : (
        <CirclePlay aria-hidden size={28} className="shrink-0 text-text" />
      )}
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p id={id} className="font-semibold">
          Pause withdrawals
        </p>
        <p className="text-sm text-muted">
          {paused ? 'Paused: users cannot withdraw, but still earn by voting.' : 'Not paused: users can withdraw.'}
          {mayPause ? null : ' Only the owner changes this.'}
        </p>
      </div>
      <Switch
        labelledBy={id}
        checked={paused ?? false}
        disabled={paused === undefined || isPending || !mayPause}
        onChange={(next) => mutate(next)}
      />
    </section>
  );
}
