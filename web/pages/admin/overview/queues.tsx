import type { Overview } from '#shared/contract/overview.ts';
import { plural } from '#shared/numbers/plural.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { isBad } from './jobs-card.tsx';

type Queues = Overview['queues'];

export type WaitingTab = 'withdrawals' | 'payments' | 'moderation' | 'votes';

const QUEUES: Record<keyof Queues, { title: string; tab: WaitingTab }> = {
  withdrawals: { title: 'Withdrawals', tab: 'withdrawals' },
  payments: { title: 'Payments to settle', tab: 'payments' },
  names: { title: 'Names to review', tab: 'moderation' },
  claims: { title: 'Claims', tab: 'moderation' },
  reports: { title: 'Reports', tab: 'moderation' },
  appeals: { title: 'Appeals', tab: 'votes' },
};

const OPEN_LINK = 'inline-flex min-h-11 items-center rounded-full px-3 text-sm font-bold text-link hover:bg-overlay';

const shownOf = (queues: Queues) =>
  (Object.keys(QUEUES) as (keyof Queues)[]).flatMap((name) => {
    const queue = queues[name];
    return queue ? [{ ...QUEUES[name], queue }] : [];
  });

interface WaitingProps {
  queues: Queues;
  jobs: Overview['jobs'];
  onOpen: (tab: WaitingTab) => void;
}

/** All that waits for a person, as far as the role may see it (R92): one line each, the oldest first. */
export function WaitingList({ queues, jobs, onOpen }: WaitingProps) {
  const waiting = shownOf(queues)
    .filter(({ queue }) => queue.open > 0)
    .toSorted((one, other) => (one.queue.oldestAt ?? '').localeCompare(other.queue.oldestAt ?? ''));
  const bad = jobs?.filter(isBad) ?? [];
  return (
    <Card aria-labelledby="waiting" className="grid gap-2">
      <CardTitle id="waiting">Waiting for a person</CardTitle>
      {waiting.length + bad.length === 0 ? <p className="text-muted">Nothing waits.</p> : null}
      <ul className="divide-y divide-line">
        {bad.length > 0 ? (
          <li className="flex min-h-12 flex-wrap items-center gap-x-4 py-2">
            <b className="flex-1 text-text">{plural(bad.length, 'job')} not fine</b>
            <a href="#jobs" className={OPEN_LINK}>
              Look below
            </a>
          </li>
        ) : null}
        {waiting.map(({ title, queue, tab }) => (
          <li key={title} className="flex min-h-12 flex-wrap items-center gap-x-4 py-2">
            <span className="flex-1">
              <b>{queue.open.toLocaleString()}</b> {title}
            </span>
            {queue.oldestAt === null ? null : (
              <span className="text-sm text-muted">
                oldest <RelativeTime iso={queue.oldestAt} />
              </span>
            )}
            <button type="button" onClick={() => onOpen(tab)} className={OPEN_LINK} aria-label={`Open: ${title}`}>
              Open
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
