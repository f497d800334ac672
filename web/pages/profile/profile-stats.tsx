import { plural } from '#shared/numbers/plural.ts';
import { ReadNote } from '../../components/states/read-note.tsx';
import { useStats } from '../../components/user/use-stats.ts';
import { Card, CardTitle } from '../../ui/card.tsx';

function Figure({ label, value }: { label: string; value: string | undefined }) {
  return (
    <div className="flex flex-col-reverse border-s border-line ps-3">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="display text-2xl">{value ?? '–'}</dd>
    </div>
  );
}

export function ProfileStats({ userId }: { userId: number }) {
  const { stats, failure } = useStats(userId);
  return (
    <Card aria-labelledby="your-statistics">
      <CardTitle id="your-statistics">Your Statistics</CardTitle>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-y-5">
        <Figure label="Total votes" value={stats?.totalVotes.toLocaleString()} />
        <Figure label="Bullish" value={stats && `${stats.bullishPercentage}%`} />
        <Figure label="Snaps" value={stats?.tokenBalance.toLocaleString()} />
        <Figure label="Streak" value={stats && plural(stats.currentStreak, 'day')} />
      </dl>
      {failure ? <ReadNote failure={failure} isStale={stats !== undefined} className="mt-3" /> : null}
    </Card>
  );
}
