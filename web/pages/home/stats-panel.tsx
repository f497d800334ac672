import { ChartNoAxesColumn, Coins, Flame, TrendingUp, Vote, type LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useStats } from '../../components/use-stats.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import * as styles from './deck.module.css';
import { TopVoters } from './top-voters.tsx';
import { VotesRemaining } from './votes-remaining.tsx';

interface FigureProps {
  label: string;
  Icon: LucideIcon;
  value: ReactNode;
  /** Changes when the value does, so that it can hop. */
  mark: number;
}

function Figure({ label, Icon, value, mark }: FigureProps) {
  return (
    <div className="rounded-lg bg-raised px-3 py-2.5">
      <dt className="truncate text-sm text-muted">{label}</dt>
      <dd className="display flex items-center gap-2 text-lg whitespace-nowrap xl:text-xl">
        <Icon aria-hidden size={18} className="shrink-0 text-link" />
        <span key={mark} className={styles.bump}>
          {value}
        </span>
      </dd>
    </div>
  );
}

/** 'Your Statistics' (S2.16). */
export function StatsPanel({ userId, className }: { userId: number; className?: string }) {
  const titleId = useId();
  const stats = useStats(userId);
  const { totalVotes = 0, bullishPercentage = 0, tokensEarned = 0, streak = 0 } = stats ?? {};
  return (
    <Card aria-labelledby={titleId} className={className}>
      <CardTitle id={titleId} icon={<ChartNoAxesColumn aria-hidden size={20} className="text-link" />}>
        Your Statistics
      </CardTitle>
      <VotesRemaining userId={userId} />
      <dl className="mt-3 grid grid-cols-2 gap-3">
        <Figure label="Total votes" Icon={Vote} value={totalVotes.toLocaleString()} mark={totalVotes} />
        <Figure label="Bullish" Icon={TrendingUp} value={`${bullishPercentage}%`} mark={bullishPercentage} />
        <Figure label="Tokens earned" Icon={Coins} value={tokensEarned.toLocaleString()} mark={tokensEarned} />
        <Figure label="Streak" Icon={Flame} value={`${streak} ${streak === 1 ? 'day' : 'days'}`} mark={streak} />
      </dl>
      <TopVoters userId={userId} />
    </Card>
  );
}
