import { useState } from 'react';
import { Link } from 'wouter';
import type { DailyCard } from '#shared/contract/daily-deck.ts';
import { REASON_LABELS, REASONS, type Reason } from '#shared/voting/reasons.ts';
import { useStore } from '../../../lib/external-store.ts';
import { paths } from '../../../lib/paths.ts';
import { agreement } from '../../../voting/last-vote.ts';
import { giveReasons, ReasonChips, sentReasons, withoutReason, withReason } from '../../../voting/reasons.tsx';
import type { VoteType } from '../../../voting/vote-type.ts';

const DIRECTIONS: readonly VoteType[] = ['bearish', 'bullish'];
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

interface Vote {
  projectId: number;
  name: string;
  result: string;
  /** Undefined before the result may be seen. */
  reasons: Reason[] | undefined;
}

function toVote({ projectId, name, vote }: DailyCard, sent: ReadonlyMap<number, Reason[]>): Vote[] {
  if (vote === null || name === null) return [];
  const { voteType, bullishCount, bearishCount, reasons } = vote;
  const hasResult = bullishCount !== null && bearishCount !== null;
  const result = hasResult ? agreement(voteType, { bullishCount, bearishCount }) : '';
  return [{ projectId, name, result, reasons: reasons && (sent.get(projectId) ?? reasons) }];
}

/** Gives the reason to all of these votes, or takes it away where all have it. */
function press(userId: number, votes: readonly Vote[], reason: Reason): void {
  const lacking = votes.filter(({ reasons }) => !reasons?.includes(reason));
  const changes = lacking.length > 0 ? lacking : votes;
  const change = lacking.length > 0 ? withReason : withoutReason;
  void giveReasons(userId, new Map(changes.map((vote) => [vote.projectId, change(vote.reasons ?? [], reason)])));
}

function Row({ userId, vote, isAlone }: { userId: number; vote: Vote; isAlone: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { projectId, name, result, reasons } = vote;
  const said = reasons?.map((reason) => REASON_LABELS[reason]).join(', ') || 'Why?';
  return (
    <li>
      <div className="flex items-center gap-2">
        <Link
          href={paths.project({ id: projectId })}
          className="-mx-2 grid min-h-11 min-w-0 flex-1 content-center rounded-md px-2 py-1 leading-snug transition-colors hover:bg-raised"
        >
          <span dir="auto" className="truncate font-semibold">
            {name}
          </span>
          <span className="text-muted">{result}</span>
        </Link>
        {reasons === undefined || isAlone ? null : (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={`${said} for ${name}`}
            onClick={() => setOpen(!isOpen)}
            className="min-h-11 min-w-11 shrink-0 rounded-full px-2 font-semibold text-link transition-colors hover:bg-raised"
          >
            {said}
          </button>
        )}
      </div>
      {isOpen && reasons ? (
        <ReasonChips label={`Why on ${name}`} given={reasons} onPress={(reason) => press(userId, [vote], reason)} />
      ) : null}
    </li>
  );
}

function Group({ userId, direction, votes }: { userId: number; direction: VoteType; votes: readonly Vote[] }) {
  const asked = votes.filter(({ reasons }) => reasons !== undefined);
  const those = `${asked.length === 1 ? 'this' : 'these'} ${NUMBERS[asked.length] ?? asked.length}`;
  const title = asked.length > 0 ? `Why ${direction} on ${those}?` : `You: ${direction}`;
  return (
    <section aria-label={title} tabIndex={-1} data-quiet-focus className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      {asked.length > 0 ? (
        <ReasonChips
          label={title}
          given={REASONS.filter((reason) => asked.every(({ reasons }) => reasons?.includes(reason)))}
          onPress={(reason) => press(userId, asked, reason)}
        />
      ) : null}
      <ul>
        {votes.map((vote) => (
          <Row key={vote.projectId} userId={userId} vote={vote} isAlone={asked.length === 1} />
        ))}
      </ul>
    </section>
  );
}

/** The day's votes by direction, with their results, and why: one press says it for all of a direction (R89). */
export function AskWhy({ userId, cards }: { userId: number; cards: readonly DailyCard[] }) {
  const sent = useStore(sentReasons);
  return DIRECTIONS.map((direction) => {
    const votes = cards.flatMap((card) => (card.vote?.voteType === direction ? toVote(card, sent) : []));
    if (votes.length === 0) return null;
    return <Group key={direction} userId={userId} direction={direction} votes={votes} />;
  });
}
