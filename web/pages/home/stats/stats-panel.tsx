import { useQuery } from '@tanstack/react-query';
import { memo, useId, type ReactNode } from 'react';
import { plural } from '#shared/numbers/plural.ts';
import { ReadNote } from '../../../components/states/read-note.tsx';
import { useIsLive, useStore } from '../../../lib/external-store.ts';
import { queries } from '../../../lib/queries.ts';
import { dailyProgress, streakLine } from '../daily/daily.ts';
import { deck } from '../deck/vote.ts';
import { useStats } from '../../../components/user/use-stats.ts';
import { Card, CardTitle } from '../../../ui/card.tsx';
import * as styles from '../../../deck/deck.module.css';
import { TopVoters } from './top-voters.tsx';
import { useLater } from '../../../deck/use-later.ts';
import { VotesRemaining } from './votes-remaining.tsx';

interface FigureProps {
  label: string;
  value: ReactNode;
  mark: number | undefined;
}

const Figure = memo(function Figure({ label, value, mark }: FigureProps) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="display text-lg whitespace-nowrap">
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

/** Empty until the reader's time zone is known: it keeps its place. */
function StreakLine({ userId, streak }: { userId: number; streak: number }) {
  const { data } = useQuery({ ...queries.dailyDeck(userId), enabled: false });
  const cards = useLater(useStore(deck), 'idle');
  const isLive = useIsLive();
  const hasVoted = data !== undefined && dailyProgress(data, cards).spots[0]?.state === 'voted';
  return (
    <p className="mt-2 min-h-5 text-sm text-muted">{isLive && data ? streakLine(data.day, streak, hasVoted) : null}</p>
  );
}

export function StatsPanel({ userId, className }: { userId: number; className?: string }) {
  const titleId = useId();
  const { stats: newest, failure } = useStats(userId);
  const stats = useLater(newest, 'idle');
  return (
    <Card aria-labelledby={titleId} className={className}>
      <CardTitle id={titleId}>Your Statistics</CardTitle>
      <VotesRemaining userId={userId} />
      <dl className="mt-5 grid grid-cols-2 gap-x-3 gap-y-4">
        <Figure label="Total votes" value={stats?.totalVotes.toLocaleString()} mark={stats?.totalVotes} />
        <Figure
          label="Bullish"

          value={stats && `${stats.bullishPercentage}%`}
          mark={stats?.bullishPercentage}
        />
        <Figure
          label="Snaps earned"

          value={stats?.tokensEarned.toLocaleString()}
          mark={stats?.tokensEarned}
        />
        <Figure label="Streak" value={stats && plural(stats.streak, 'day')} mark={stats?.streak} />
      </dl>
      <StreakLine userId={userId} streak={stats?.streak ?? 0} />
      {failure ? <ReadNote failure={failure} isStale={stats !== undefined} className="mt-2" /> : null}
      <TopVoters userId={userId} />
    </Card>
  );
}
