import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../components/values/name.tsx';
import { Undo2 } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ProjectImage } from '../components/project/project-image.tsx';
import { useStore } from '../lib/external-store.ts';
import { cn } from '../ui/class-names.ts';
import { agreement, endUndo, isUndoShown, lastVote, type LastVote, type VoteResult } from './last-vote.ts';
import { undoLastVote } from './undo.ts';
import { VOTE_LOOKS } from './vote-looks.ts';
import type { VoteType } from './vote-type.ts';
import * as styles from './voting.module.css';

const TONES: Record<VoteType, string> = { bullish: 'text-bull', bearish: 'text-bear' };

const RESULT_MS = 10_000;

export function useUndoable(): LastVote | null {
  const vote = useStore(lastVote);
  const isShown = vote !== null && isUndoShown(vote);
  const { id = 0, undoUntilMs = 0 } = vote ?? {};
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(() => endUndo(id), Math.max(0, undoUntilMs - performance.now()));
    return () => clearTimeout(timer);
  }, [isShown, id, undoUntilMs]);
  return isShown ? vote : null;
}

function useShownVote(): LastVote | null {
  useUndoable();
  const vote = useStore(lastVote);
  const [goneId, setGoneId] = useState(0);
  const resultId = vote !== null && vote.phase === 'final' && vote.result !== null ? vote.id : 0;
  useEffect(() => {
    if (resultId === 0) return undefined;
    const timer = setTimeout(() => setGoneId(resultId), RESULT_MS);
    return () => clearTimeout(timer);
  }, [resultId]);
  if (vote?.phase !== 'final') return vote;
  return resultId !== 0 && resultId !== goneId ? vote : null;
}

export function UndoButton({ vote, className }: { vote: LastVote; className?: string }) {
  const isBusy = vote.phase === 'undoing';
  const label = isBusy ? 'Undoing' : 'Undo';
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
      aria-label={`${label} your ${vote.changes === undefined ? 'vote' : 'change'} on ${vote.project.name}`}
      aria-keyshortcuts="Z"
      onClick={() => void undoLastVote()}
      className={cn(
        'pointer-events-auto relative inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-4 text-sm font-bold text-link transition-colors select-none max-[30rem]:px-3 hover:bg-overlay',
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
      <Undo2 aria-hidden size={13} strokeWidth={3} className="absolute start-[1.34rem] max-[30rem]:start-[1.09rem]" />
      {label}
    </button>
  );
}

export function ShowResultButton({ vote: { id, phase } }: { vote: LastVote }) {
  if (phase !== 'open') return null;
  return (
    <button
      type="button"
      onClick={() => endUndo(id)}
      className="pointer-events-auto inline-flex min-h-11 shrink-0 items-center gap-1 rounded-full px-2.5 text-sm font-semibold text-muted transition-colors select-none hover:bg-overlay hover:text-text"
    >
      <span className="max-[30rem]:sr-only">Show </span>
      <span className="max-[30rem]:capitalize">result</span>
    </button>
  );
}

function sayVote({ voteType, changes }: Pick<LastVote, 'voteType' | 'changes'>): string {
  if (changes === undefined) return VOTE_LOOKS[voteType].label;
  return `${changes === voteType ? 'Still' : 'Now'} ${voteType}`;
}

function LastTime({ voteType }: { voteType: VoteType }) {
  return (
    <span className="shrink-0 text-xs text-muted">
      Last time: <b className={TONES[voteType]}>{voteType}</b>
    </span>
  );
}

function VoteWords({ vote }: { vote: LastVote }) {
  const { project, voteType, lastTime, before } = vote;
  const said = before?.result
    ? `${agreement(before.voteType, before.result)} · ${isolated(before.project.name)}`
    : null;
  const { Icon } = VOTE_LOOKS[voteType];
  return (
    <div className="grid min-w-0 flex-1 text-sm leading-tight">
      <p title={project.name} className="truncate">
        <Icon aria-hidden size={16} strokeWidth={3} className={cn('me-1 inline min-[23rem]:hidden', TONES[voteType])} />
        <span className="max-[23rem]:sr-only">
          <b className={TONES[voteType]}>{sayVote(vote)}</b> on{' '}
        </span>
        <b>
          <Name>{project.name}</Name>
        </b>
      </p>
      {said === null ? null : (
        <p title={said} className={`${styles.reveal} truncate text-xs text-muted`}>
          {said}
        </p>
      )}
      {lastTime && said === null ? <LastTime voteType={lastTime} /> : null}
    </div>
  );
}

function ResultWords({ vote, result }: { vote: LastVote; result: VoteResult }) {
  const { project, voteType, lastTime } = vote;
  const [when, condition] = result.when?.split(/(?=, if)/) ?? [];
  return (
    <div className={`${styles.reveal} grid min-w-0 flex-1 pe-2.5 text-sm leading-tight`}>
      <p className="truncate font-bold">{agreement(voteType, result)}</p>
      <p className="flex gap-2 text-xs text-muted">
        <span title={project.name} className="min-w-0 truncate">
          <Name>{project.name}</Name>
        </span>
        {lastTime ? <LastTime voteType={lastTime} /> : null}
        {when ? (
          <span className="shrink-0">
            {when}
            <span className="max-[30rem]:sr-only">{condition}</span>
          </span>
        ) : null}
      </p>
    </div>
  );
}

/** Shows the undo for five seconds, then the result, in the same place (R46, R59). It names the project: another card is on top by now. */
export function VotePill({ className }: { className?: string }) {
  const vote = useShownVote();
  if (!vote) return null;
  const { project, result } = vote;
  return (
    <div data-pill-place className={cn('pointer-events-none absolute inset-0 z-10 grid place-items-center', className)}>
      <div
        key={vote.id}
        data-vote-pill
        className={cn(
          styles.pill,
          'flex h-11 w-full max-w-md items-center justify-between gap-1 rounded-full border border-line-strong bg-surface ps-1.5 shadow-float',
        )}
      >
        <ProjectImage
          src={project.imageUrl}
          name={project.name}
          alt=""
          width={32}
          height={32}
          eager
          priority="low"
          className="me-1 size-8 shrink-0 rounded-full"
        />
        {result ? <ResultWords vote={vote} result={result} /> : <VoteWords vote={vote} />}
        {isUndoShown(vote) ? (
          <>
            <ShowResultButton vote={vote} />
            <UndoButton vote={vote} />
          </>
        ) : null}
      </div>
    </div>
  );
}
