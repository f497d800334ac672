import { type CSSProperties, useState } from 'react';
import { Link } from 'wouter';
import { TicketCard } from '../../../components/ticket/ticket-card.tsx';
import { Name } from '../../../components/values/name.tsx';
import type { DailyCard } from '#shared/contract/daily-deck.ts';
import { REASONS, type Reason } from '#shared/voting/reasons.ts';
import { useStore } from '../../../lib/external-store.ts';
import { paths } from '../../../lib/paths.ts';
import { cn } from '../../../ui/class-names.ts';
import { agreement, type VoteResult } from '../../../voting/last-vote.ts';
import { giveReasons, ReasonChips, sentReasons, withoutReason, withReason } from '../../../voting/reasons.tsx';
import { VOTE_LOOKS } from '../../../voting/vote-looks.ts';
import type { VoteType } from '../../../voting/vote-type.ts';
import * as styles from './daily.module.css';

const DIRECTIONS: readonly VoteType[] = ['bearish', 'bullish'];
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

interface Vote {
  projectId: number;
  name: string;
  imageUrl: string | null;
  voteType: VoteType;
  /** Null before it may be seen. */
  result: VoteResult | null;
  line: string;
  reasons: Reason[] | undefined;
}

function toVote({ projectId, name, imageUrl, vote }: DailyCard, sent: ReadonlyMap<number, Reason[]>): Vote[] {
  if (vote === null || name === null) return [];
  const { voteType, bullishCount, bearishCount, reasons } = vote;
  const { label } = VOTE_LOOKS[voteType];
  const result = bullishCount !== null && bearishCount !== null ? { bullishCount, bearishCount } : null;
  const line = result ? `${label}: ${agreement(voteType, result)}` : label;
  return [{ projectId, name, imageUrl, voteType, result, line, reasons: reasons && (sent.get(projectId) ?? reasons) }];
}

/** Gives the reason to all of these votes, or takes it away where all have it. */
function press(userId: number, votes: readonly Vote[], reason: Reason): void {
  const lacking = votes.filter(({ reasons }) => !reasons?.includes(reason));
  const changes = lacking.length > 0 ? lacking : votes;
  const change = lacking.length > 0 ? withReason : withoutReason;
  void giveReasons(userId, new Map(changes.map((vote) => [vote.projectId, change(vote.reasons ?? [], reason)])));
}

interface QuestionProps {
  userId: number;
  title: string;
  isTitled?: boolean;
  votes: readonly Vote[];
}

function Question({ userId, title, isTitled = true, votes }: QuestionProps) {
  const given = REASONS.filter((reason) => votes.every(({ reasons }) => reasons?.includes(reason)));
  return (
    <section aria-label={title} tabIndex={-1} data-quiet-focus className="grid gap-1.5">
      {isTitled ? <h3 className="font-semibold">{title}</h3> : null}
      <ReasonChips aria-label={title} given={given} onPress={(reason) => press(userId, votes, reason)} />
    </section>
  );
}

/** How the others voted: '13 of 19', over coral and green that meet at the share. */
function Result({ voteType, bullishCount, bearishCount }: VoteResult & { voteType: VoteType }) {
  const others = bullishCount + bearishCount - 1;
  const alike = Math.max(0, (voteType === 'bullish' ? bullishCount : bearishCount) - 1);
  return (
    <>
      <span className={`${styles.dim} absolute inset-0`} />
      <span
        className={`${styles.of} absolute inset-0 grid content-end justify-items-center pb-2.5 leading-none font-semibold text-white`}
      >
        <b className={`display ${styles.figure} leading-tight`}>{others > 0 ? alike.toLocaleString() : '1st'}</b>
        {others > 0 ? `of ${others.toLocaleString()}` : 'vote'}
      </span>
      <span dir="ltr" className="absolute inset-x-0 bottom-0 flex h-1.5 bg-bull">
        <span className="bg-bear" style={{ width: `${(100 * bearishCount) / Math.max(1, others + 1)}%` }} />
      </span>
    </>
  );
}

interface TurningCardProps {
  vote: Vote;
  at: number;
  isChosen: boolean;
  onPress: () => void;
}

function TurningCard({ vote, at, isChosen, onPress }: TurningCardProps) {
  const { name, line, result, voteType } = vote;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isChosen}
        onClick={onPress}
        style={{ '--at': at } as CSSProperties}
        className={cn(
          styles.turn,
          'block w-full rounded-md transition-transform active:scale-95',
          isChosen && 'outline-3 outline-offset-2 outline-accent',
        )}
      >
        <span className="sr-only">
          <Name>{name}</Name> {line}
        </span>
        <span aria-hidden className={styles.sides}>
          <TicketCard face={vote} width={72} eager className={styles.side} />
          {result ? (
            <span className={`${styles.side} ${styles.back} relative overflow-hidden rounded-[14%/10.5%]`}>
              <TicketCard face={vote} width={72} eager />
              <Result voteType={voteType} {...result} />
            </span>
          ) : null}
        </span>
      </button>
    </li>
  );
}

/** The ticket of the day turned over (R98), and why the user voted so, in one press for all votes of a direction or for a chosen one (R89). */
export function AskWhy({ userId, cards }: { userId: number; cards: readonly DailyCard[] }) {
  const sent = useStore(sentReasons);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const votes = cards.flatMap((card) => toVote(card, sent));
  const chosen = votes.find(({ projectId }) => projectId === chosenId);
  return (
    <>
      <ul aria-label="Today's votes" className={styles.ten}>
        {votes.map((vote, at) => (
          <TurningCard
            key={vote.projectId}
            vote={vote}
            at={at}
            isChosen={vote === chosen}
            onPress={() => setChosenId(vote === chosen ? null : vote.projectId)}
          />
        ))}
      </ul>
      {chosen ? (
        <div className="grid gap-1">
          <Link
            href={paths.project({ id: chosen.projectId })}
            className="grid min-h-11 content-center rounded-md leading-snug"
          >
            <span className="truncate font-semibold text-link">
              <Name>{chosen.name}</Name>
            </span>
            <span className="text-muted">{chosen.line}</span>
          </Link>
          {chosen.reasons ? (
            <Question userId={userId} title={`Why on ${chosen.name}`} isTitled={false} votes={[chosen]} />
          ) : null}
        </div>
      ) : (
        DIRECTIONS.map((direction) => {
          const asked = votes.filter(({ voteType, reasons }) => voteType === direction && reasons !== undefined);
          if (asked.length === 0) return null;
          const those = `${asked.length === 1 ? 'this' : 'these'} ${NUMBERS[asked.length] ?? asked.length}`;
          return <Question key={direction} userId={userId} title={`Why ${direction} on ${those}?`} votes={asked} />;
        })
      )}
    </>
  );
}
