import { useState } from 'react';
import { Link } from 'wouter';
import type { DailyCard } from '#shared/contract/daily-deck.ts';
import { REASON_LABELS, REASONS, type Reason } from '#shared/voting/reasons.ts';
import { useStore } from '../../../lib/external-store.ts';
import { paths } from '../../../lib/paths.ts';
import { agreement } from '../../../voting/last-vote.ts';
import { giveReasons, ReasonChips, sentReasons, withoutReason, withReason } from '../../../voting/reasons.tsx';
import { VOTE_LOOKS } from '../../../voting/vote-looks.ts';
import type { VoteType } from '../../../voting/vote-type.ts';

const DIRECTIONS: readonly VoteType[] = ['bearish', 'bullish'];
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

interface Vote {
  projectId: number;
  name: string;
  voteType: VoteType;
  line: string;
  /** Undefined before the result may be seen. */
  reasons: Reason[] | undefined;
}

function toVote({ projectId, name, vote }: DailyCard, sent: ReadonlyMap<number, Reason[]>): Vote[] {
  if (vote === null || name === null) return [];
  const { voteType, bullishCount, bearishCount, reasons } = vote;
  const { label } = VOTE_LOOKS[voteType];
  const hasResult = bullishCount !== null && bearishCount !== null;
  const line = hasResult ? `${label}: ${agreement(voteType, { bullishCount, bearishCount })}` : label;
  return [{ projectId, name, voteType, line, reasons: reasons && (sent.get(projectId) ?? reasons) }];
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
  direction: VoteType;
  votes: readonly Vote[];
}

function Question({ userId, direction, votes }: QuestionProps) {
  const those = `${votes.length === 1 ? 'this' : 'these'} ${NUMBERS[votes.length] ?? votes.length}`;
  const title = `Why ${direction} on ${those}?`;
  return (
    <section aria-label={title} tabIndex={-1} data-quiet-focus className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      <ReasonChips
        aria-label={title}
        given={REASONS.filter((reason) => votes.every(({ reasons }) => reasons?.includes(reason)))}
        onPress={(reason) => press(userId, votes, reason)}
      />
    </section>
  );
}

function Row({ userId, vote }: { userId: number; vote: Vote }) {
  const [isOpen, setOpen] = useState(false);
  const { projectId, name, line, reasons } = vote;
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
          <span className="text-muted">{line}</span>
        </Link>
        {reasons ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={`${said} for ${name}`}
            onClick={() => setOpen(!isOpen)}
            className="min-h-11 min-w-11 shrink-0 rounded-full px-2 font-semibold text-link transition-colors hover:bg-raised"
          >
            {said}
          </button>
        ) : null}
      </div>
      {isOpen && reasons ? (
        <ReasonChips
          aria-label={`Why on ${name}`}
          given={reasons}
          onPress={(reason) => press(userId, [vote], reason)}
        />
      ) : null}
    </li>
  );
}

/** Why the user voted as they did today, in one press for all votes of a direction (R89), above these votes with their results. */
export function AskWhy({ userId, cards }: { userId: number; cards: readonly DailyCard[] }) {
  const sent = useStore(sentReasons);
  const votes = cards.flatMap((card) => toVote(card, sent));
  return (
    <>
      {DIRECTIONS.map((direction) => {
        const asked = votes.filter(({ voteType, reasons }) => voteType === direction && reasons !== undefined);
        if (asked.length === 0) return null;
        return <Question key={direction} userId={userId} direction={direction} votes={asked} />;
      })}
      <ul aria-label="Today's votes">
        {votes.map((vote) => (
          <Row key={vote.projectId} userId={userId} vote={vote} />
        ))}
      </ul>
    </>
  );
}
