import { useMemo } from 'react';
import type { OverviewDay } from '#shared/contract/overview.ts';
import { DayBars, type BarSeries } from '../../../components/charts/day-bars.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';

const VOTES: readonly BarSeries[] = [{ key: 'votes', label: 'Votes', color: 'accent' }];
const USERS: readonly BarSeries[] = [{ key: 'users', label: 'New users', color: 'accent' }];
const REVENUE: readonly BarSeries[] = [{ key: 'revenue', label: 'SUI', color: 'accent' }];
const ISSUED: readonly BarSeries[] = [{ key: 'issued', label: 'Issued', color: 'accent' }];
const BURNED: readonly BarSeries[] = [{ key: 'burned', label: 'Burned', color: 'accent' }];

const MIST_PER_SUI = 1e9;

export function DayCharts({ days }: { days: readonly OverviewDay[] }) {
  const counts = useMemo(
    () =>
      days.map(({ day, revenueMist, ...rest }) => ({
        day,
        counts: { ...rest, revenue: Number(revenueMist) / MIST_PER_SUI },
      })),
    [days],
  );
  const bars = { days: counts, until: days.at(-1)?.day ?? '', empty: 'Nothing yet.' };
  return (
    <Card aria-labelledby="by-day" className="min-w-0">
      <CardTitle id="by-day">Last 90 days</CardTitle>
      <div className="grid gap-8 lg:grid-cols-2">
        <DayBars title="Votes by day" noun="vote" series={VOTES} {...bars} />
        <DayBars title="New users by day" noun="new user" series={USERS} {...bars} />
        <DayBars title="Revenue in SUI by day" noun="SUI" nouns="SUI" series={REVENUE} {...bars} />
        <DayBars title="Snaps issued by day" noun="Snap" series={ISSUED} {...bars} />
        <DayBars title="Snaps burned by day" noun="Snap" series={BURNED} {...bars} />
      </div>
    </Card>
  );
}
