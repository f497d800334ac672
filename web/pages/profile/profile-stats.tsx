import { plural } from '#shared/numbers/plural.ts';
import { ReadNote } from '../../components/states/read-note.tsx';
import { useStats } from '../../components/user/use-stats.ts';
import { Card, CardTitle } from '../../ui/card.tsx';

export function ProfileStats({ userId }: { userId: number }) {
  const { stats, failure } = useStats(userId);
  const figures = [
    ['Total votes', stats?.totalVotes.toLocaleString()],
    ['Bullish', stats && `${stats.bullishPercentage}%`],
    ['Snaps', stats?.tokenBalance.toLocaleString()],
    ['Streak', stats && plural(stats.currentStreak, 'day')],
  ] as const;
  return (
    <Card aria-labelledby="your-statistics">
      <CardTitle id="your-statistics">Your Statistics</CardTitle>
      <dl className="grid grid-cols-2 gap-x-3 gap-y-4 sm:grid-cols-4">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="display text-2xl">{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      {failure ? <ReadNote failure={failure} isStale={stats !== undefined} className="mt-3" /> : null}
    </Card>
  );
}
