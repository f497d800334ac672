import { ChartNoAxesColumn, Coins, Flame, TrendingUp, Vote, type LucideIcon } from 'lucide-react';
import { memo, useId, type ReactNode } from 'react';
import { plural } from '#shared/plural.ts';
import { ReadNote } from '../../../components/states/read-note.tsx';
import { useStats } from '../../../components/user/use-stats.ts';
import { Card, CardTitle } from '../../../ui/card.tsx';
import * as styles from '../../../deck/deck.module.css';
import { TopVoters } from './top-voters.tsx';
import { useLater } from '../../../deck/use-later.ts';
import { VotesRemaining } from './votes-remaining.tsx';

interface FigureProps {
  label: string;
  Icon: LucideIcon;
  value: ReactNode;
  mark: number | undefined;
}

const Figure = memo(function Figure({ label, Icon, value, mark }: FigureProps) {
  return (
    <div className="rounded-lg bg-raised px-3 py-2.5">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="display flex items-center gap-2 text-lg whitespace-nowrap xl:text-xl">
        <Icon aria-hidden size={18} className="shrink-0 text-link" />
        <span key={mark} className={styles.bump}>
          {value ?? <Unknown />}
        </span>
      </dd>
    </div>
  );
});

function Unknown() {
  return (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">not known</span>
    </>
  );
}

export function StatsPanel({ userId, className }: { userId: number; className?: string }) {
  const titleId = useId();
  const { stats: newest, failure } = useStats(userId);
  const stats = useLater(newest, 'idle');
  return (
    <Card aria-labelledby={titleId} className={className}>
      <CardTitle id={titleId} icon={<ChartNoAxesColumn aria-hidden size={20} className="text-link" />}>
        Your Statistics
      </CardTitle>
      <VotesRemaining userId={userId} />
      <dl className="mt-3 grid grid-cols-2 gap-3">
        <Figure label="Total votes" Icon={Vote} value={stats?.totalVotes.toLocaleString()} mark={stats?.totalVotes} />
        <Figure
          label="Bullish"
          Icon={TrendingUp}
          value={stats && `${stats.bullishPercentage}%`}
          mark={stats?.bullishPercentage}
        />
        <Figure
          label="Snaps earned"
          Icon={Coins}
          value={stats?.tokensEarned.toLocaleString()}
          mark={stats?.tokensEarned}
        />
        <Figure label="Streak" Icon={Flame} value={stats && plural(stats.streak, 'day')} mark={stats?.streak} />
      </dl>
      {failure ? <ReadNote failure={failure} isStale={stats !== undefined} className="mt-2" /> : null}
      <TopVoters userId={userId} />
    </Card>
  );
}
