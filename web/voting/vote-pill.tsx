import { Undo2 } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from '../lib/external-store.ts';
import { cn } from '../ui/class-names.ts';
import { agreement, endUndo, lastVote, undoLastVote, type LastVote } from './last-vote.ts';
import type { VoteType } from './vote-type.ts';
import * as styles from './voting.module.css';

const TONES: Record<VoteType, string> = { bullish: 'text-bull', bearish: 'text-bear' };

/** How long the result of a vote stays in its place. */
const RESULT_MS = 10_000;

/** The newest vote until its undo is over; null then. */
export function useUndoable(): LastVote | null {
  const vote = useStore(lastVote);
  const isShown = vote !== null && vote.phase !== 'final';
  const { id = 0, undoUntilMs = 0 } = vote ?? {};
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(() => endUndo(id), Math.max(0, undoUntilMs - performance.now()));
    return () => clearTimeout(timer);
  }, [isShown, id, undoUntilMs]);
  return isShown ? vote : null;
}

/** The newest vote while it can be undone, then its result for a while. */
function useShownVote(): LastVote | null {
  const undoable = useUndoable();
  const vote = useStore(lastVote);
  const [goneId, setGoneId] = useState(0);
  const resultId = vote !== null && vote.phase === 'final' && vote.result !== null ? vote.id : 0;
  useEffect(() => {
    if (resultId === 0) return undefined;
    const timer = setTimeout(() => setGoneId(resultId), RESULT_MS);
    return () => clearTimeout(timer);
  }, [resultId]);
  if (undoable) return undoable;
  return resultId !== 0 && resultId !== goneId ? vote : null;
}

/** Takes the vote back, with the time that is left for it as a ring (R46). */
export function UndoButton({ vote, className }: { vote: LastVote; className?: string }) {
  const isBusy = vote.phase === 'undoing';
  const ref = useRef<HTMLButtonElement>(null);
  const [leftMs] = useState(() => Math.max(0, vote.undoUntilMs - performance.now()));
  // The button disappears automatically, and the focus stays near. A layout effect: once the button is gone, nothing has the focus.
  useLayoutEffect(() => {
    const button = ref.current;
    return () => {
      if (button !== null && document.activeElement === button)
        (button.closest<HTMLElement>('section') ?? document.getElementById('main'))?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <button
      ref={ref}
      type="button"
      aria-disabled={isBusy || undefined}
      aria-label={`Undo your ${vote.changes === undefined ? 'vote' : 'change'} on ${vote.project.name}`}
      aria-keyshortcuts="Z"
      onClick={() => void undoLastVote()}
      className={cn(
        'pointer-events-auto relative inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-4 text-sm font-bold text-link transition-colors select-none hover:bg-overlay',
        isBusy && 'opacity-55',
        className,
      )}
    >
      <svg aria-hidden viewBox="0 0 24 24" className="size-6 -rotate-90">
        <circle cx="12" cy="12" r="10" pathLength="1" className={styles.track} />
        <circle
          cx="12"
          cy="12"
          r="10"
          pathLength="1"
          className={styles.ring}
          style={{ animationDuration: `${leftMs}ms` }}
        />
      </svg>
      <Undo2 aria-hidden size={13} strokeWidth={3} className="absolute left-[1.34rem]" />
      Undo
    </button>
  );
}

/** Ends the undo and shows what others think (R59). */
export function ShowResultButton({ vote: { id, phase } }: { vote: LastVote }) {
  const isOff = phase !== 'open';
  return (
    <button
      type="button"
      aria-disabled={isOff || undefined}
      onClick={() => endUndo(id)}
      className={cn(
        'pointer-events-auto inline-flex min-h-11 shrink-0 items-center rounded-full px-2.5 text-sm font-semibold text-muted transition-colors select-none hover:bg-overlay hover:text-text',
        isOff && 'opacity-55',
      )}
    >
      Show result
    </button>
  );
}

const VERBS = { voted: 'You voted', changed: 'Changed to', confirmed: 'Still' } as const;
const saidOf = ({ voteType, changes }: Pick<LastVote, 'voteType' | 'changes'>): keyof typeof VERBS => {
  if (changes === undefined) return 'voted';
  return changes === voteType ? 'confirmed' : 'changed';
};

/** The vote while it can be undone, then what others think (R47, R59); below it the result of the vote before, or the user's last vote. */
function VoteWords({ vote: { voteType, changes, result, lastTime, before } }: { vote: LastVote }) {
  return (
    <p className="min-w-0 flex-1 text-sm leading-tight">
      {result ? (
        <b key="result" className={styles.reveal}>
          {agreement(voteType, result)}
        </b>
      ) : (
        <span key="vote" className="whitespace-nowrap">
          <span className="max-[26rem]:hidden">{VERBS[saidOf({ voteType, changes })]} </span>
          <b className={TONES[voteType]}>{voteType}</b>
        </span>
      )}
      {before === null ? null : (
        <span title={before} className={`${styles.reveal} block truncate text-xs text-muted`}>
          {before}
        </span>
      )}
      {lastTime && before === null ? (
        <span className="block text-xs text-muted">
          Last time: <b className={TONES[lastTime]}>{lastTime}</b>
        </span>
      ) : null}
    </p>
  );
}

/**
 * The part of the reward pop-up that stays: the undo for its five seconds, then the result, in the same place (R46, R59). It floats over its
 * place and moves nothing; only its buttons take presses.
 */
export function VotePill({ className }: { className?: string }) {
  const vote = useShownVote();
  if (!vote) return null;
  const isOpen = vote.phase !== 'final';
  return (
    <div data-pill-place className={cn('pointer-events-none absolute inset-0 z-10 grid place-items-center', className)}>
      <div
        key={vote.id}
        data-vote-pill
        className={`${styles.pill} flex h-11 w-full max-w-96 items-center justify-between gap-1 rounded-full border border-line-strong bg-surface pl-4.5 shadow-float`}
      >
        <VoteWords vote={vote} />
        {isOpen ? <ShowResultButton vote={vote} /> : null}
        {isOpen ? <UndoButton vote={vote} /> : null}
      </div>
    </div>
  );
}
