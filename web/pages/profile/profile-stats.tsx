import { Coins, Flame, TrendingUp, Vote, type LucideIcon } from 'lucide-react';
import { plural } from '#shared/numbers/plural.ts';
import { ReadNote } from '../../components/states/read-note.tsx';
import { useStats } from '../../components/user/use-stats.ts';
import { Card, CardTitle } from '../../ui/card.tsx';

function Figure({ label, value, Icon }: { label: string; value: string | undefined; Icon: LucideIcon }) {
  return (
    <div className="flex flex-col-reverse gap-0.5 rounded-lg bg-raised p-4">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="display flex items-center gap-2 text-2xl">
        <Icon aria-hidden size={20} className="text-link" />
        {value ?? '–'}
      </dd>
    </div>
  );
}

export function ProfileStats({ userId }: { userId: number }) {
  const { stats, failure } = useStats(userId);
  return (
    <Card aria-labelledby="your-statistics">
      <CardTitle id="your-statistics">Your Statistics</CardTitle>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-3">
        <Figure label="Total votes" value={stats?.totalVotes.toLocaleString()} Icon={Vote} />
        <Figure label="Bullish" value={stats && `${stats.bullishPercentage}%`} Icon={TrendingUp} />
        <Figure label="Snaps" value={stats?.tokenBalance.toLocaleString()} Icon={Coins} />
        <Figure label="Streak" value={stats && plural(stats.currentStreak, 'day')} Icon={Flame} />
      </dl>
      {failure ? <ReadNote failure={failure} isStale={stats !== undefined} className="mt-3" /> : null}
    </Card>
  );
}
