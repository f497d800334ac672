import { Hourglass } from 'lucide-react';
import { useMemo } from 'react';
import type { Overview, WaitingWork } from '#shared/contract/overview.ts';
import { DayBars, type BarSeries } from '../../../components/charts/day-bars.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';

type Queues = Overview['queues'];

const TITLES: Record<keyof Queues, string> = {
  withdrawals: 'Withdrawals',
  payments: 'Payments to settle',
  reports: 'Reports',
  appeals: 'Appeals',
};

const shownOf = (queues: Queues) =>
  (Object.keys(TITLES) as (keyof Queues)[]).flatMap((name) => {
    const queue = queues[name];
    return queue ? [{ title: TITLES[name], queue }] : [];
  });

function QueueCard({ title, queue: { open, oldestAt } }: { title: string; queue: WaitingWork }) {
  return (
    <li className="panel grid content-start gap-1 p-5">
      <h2 className="text-base font-semibold text-muted">{title}</h2>
      <p className="font-display text-3xl font-bold">{open.toLocaleString()}</p>
      <p className="text-sm text-faint">
        {oldestAt === null ? (
          'Empty'
        ) : (
          <>
            Oldest <RelativeTime iso={oldestAt} />
          </>
        )}
      </p>
    </li>
  );
}

export function QueueCards({ queues }: { queues: Queues }) {
  return (
    <ul aria-label="Waiting now" className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {shownOf(queues).map(({ title, queue }) => (
        <QueueCard key={title} title={title} queue={queue} />
      ))}
    </ul>
  );
}

const OPEN: readonly BarSeries[] = [{ key: 'open', label: 'Open', color: 'warn' }];

function QueueChart({ title, queue: { days } }: { title: string; queue: WaitingWork }) {
  const counts = useMemo(() => days.map(({ day, open }) => ({ day, counts: { open } })), [days]);
  return (
    <DayBars
      title={`${title} open at the end of the day`}
      noun="open one"
      days={counts}
      series={OPEN}
      until={days.at(-1)?.day ?? ''}
      empty="Nothing yet."
    />
  );
}

export function QueueCharts({ queues }: { queues: Queues }) {
  const shown = shownOf(queues).filter(({ queue }) => queue.days.some(({ arrived, open }) => arrived > 0 || open > 0));
  if (shown.length === 0) return null;
  return (
    <Card aria-labelledby="queues" className="min-w-0">
      <CardTitle id="queues" icon={<Hourglass aria-hidden size={20} className="text-link" />}>
        Queues
      </CardTitle>
      <div className="grid min-w-0 gap-8 lg:grid-cols-2">
        {shown.map(({ title, queue }) => (
          <QueueChart key={title} title={title} queue={queue} />
        ))}
      </div>
    </Card>
  );
}
