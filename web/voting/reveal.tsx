import { RotateCw, Undo2 } from 'lucide-react';
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ProjectImage } from '../components/project/project-image.tsx';
import { Name } from '../components/values/name.tsx';
import { useStore } from '../lib/external-store.ts';
import { cn } from '../ui/class-names.ts';
import {
  agreement,
  agreementParts,
  endUndo,
  isUndoShown,
  lastVote,
  type LastVote,
  type VoteResult,
} from './last-vote.ts';
import { undoLastVote } from './undo.ts';
import { VOTE_LOOKS } from './vote-looks.ts';
import * as styles from './voting.module.css';

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

/** The button disappears automatically, and the focus stays near. A layout effect: once the button is gone, nothing has the focus. */
function useKeptFocus(): RefObject<HTMLButtonElement | null> {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    return () => {
      if (button !== null && document.activeElement === button)
        (button.closest<HTMLElement>('section') ?? document.getElementById('main'))?.focus({ preventScroll: true });
    };
  }, []);
  return ref;
}

function UndoButton({ vote }: { vote: LastVote }) {
  const isBusy = vote.phase === 'undoing';
  const label = isBusy ? 'Undoing' : 'Undo';
  const ref = useKeptFocus();
  const [leftMs] = useState(() => Math.max(0, vote.undoUntilMs - performance.now()));
  return (
    <button
      ref={ref}
      type="button"
      aria-disabled={isBusy || undefined}
      aria-label={`${label} your ${vote.changes === undefined ? 'vote' : 'change'} on ${vote.project.name}`}
      aria-keyshortcuts="Z"
      onClick={() => void undoLastVote()}
      className={cn(
        'relative -ms-2 inline-flex min-h-11 items-center gap-1.5 justify-self-start rounded-full px-2 text-sm font-bold text-link transition-colors select-none hover:bg-overlay',
        isBusy && 'opacity-55',
      )}
    >
      <svg aria-hidden viewBox="0 0 24 24" className={cn('size-6 shrink-0 -rotate-90', isBusy && 'hidden')}>
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
      <Undo2 aria-hidden size={13} strokeWidth={3} className={isBusy ? 'hidden' : 'absolute start-[0.84rem]'} />
      {label}
    </button>
  );
}

/** The voted card, small, as it landed. A press turns it at once (R59). */
function Front({ vote }: { vote: LastVote }) {
  const { id, project, voteType, phase, result } = vote;
  const { Icon, chosen } = VOTE_LOOKS[voteType];
  return (
    <div
      data-landed={voteType}
      inert={result !== null}
      className={`${styles.front} absolute start-1 overflow-hidden rounded-lg border border-line-strong bg-raised shadow-float`}
    >
      <ProjectImage
        src={project.imageUrl}
        name={project.name}
        alt=""
        width={72}
        height={96}
        eager
        priority="low"
        className="size-full"
      />
      <span aria-hidden className={cn('absolute end-1 top-1 grid size-6 place-items-center rounded-full', chosen)}>
        <Icon size={16} strokeWidth={3} />
      </span>
      {phase === 'open' ? <ShowResultButton id={id} /> : null}
    </div>
  );
}

function ShowResultButton({ id }: { id: number }) {
  return (
    <button
      ref={useKeptFocus()}
      type="button"
      onClick={() => endUndo(id)}
      className="absolute inset-0 grid content-end text-xs font-bold text-link -outline-offset-4 select-none"
    >
      <span className="flex items-center justify-center gap-1 bg-surface py-1">
        <RotateCw aria-hidden size={12} strokeWidth={3} className="@max-[10rem]:hidden" />
        <span className="sr-only">Show </span>
        <span className="capitalize">result</span>
      </span>
    </button>
  );
}

function sayVote({ voteType, changes }: Pick<LastVote, 'voteType' | 'changes'>): string {
  if (changes === undefined) return VOTE_LOOKS[voteType].label;
  return `${changes === voteType ? 'Still' : 'Now'} ${voteType}`;
}

function Words({ vote }: { vote: LastVote }) {
  const { project, lastTime, before } = vote;
  const result = before?.result;
  const [figure, , withYou] = result ? agreementParts(before.voteType, result) : [];
  return (
    <div className={`${styles.words} absolute inset-y-0 end-0 grid content-center text-sm leading-tight`}>
      <p title={project.name} className="truncate">
        <span className="sr-only">{sayVote(vote)} on </span>
        <b>
          <Name>{project.name}</Name>
        </b>
      </p>
      {result ? (
        <p className={`${styles.reveal} line-clamp-3 text-xs leading-tight text-muted wrap-anywhere`}>
          <span className="sr-only">{agreement(before.voteType, result)} · </span>
          <span aria-hidden>
            {figure} {withYou} ·{' '}
          </span>
          <Name>{before.project.name}</Name>
        </p>
      ) : null}
      {lastTime && !result ? <p className="truncate text-xs text-muted">Last time: {lastTime}</p> : null}
      {isUndoShown(vote) ? <UndoButton vote={vote} /> : null}
    </div>
  );
}

/** Bearish comes in from the left and bullish from the right, as cards leave; they meet at the share. */
function Back({ vote, result }: { vote: LastVote; result: VoteResult }) {
  const { project, voteType, lastTime } = vote;
  const { bullishCount, bearishCount, when } = result;
  const [figure, , withYou] = agreementParts(voteType, result);
  const share = bearishCount / Math.max(1, bullishCount + bearishCount);
  const { Icon } = VOTE_LOOKS[voteType];
  return (
    <div
      className={`${styles.back} absolute inset-x-0 top-0 overflow-hidden rounded-xl border border-transparent shadow-float`}
      style={{ '--bearish': share, '--chars': Math.max(8, figure.length) } as CSSProperties}
    >
      <i data-fill="bearish" className={`${styles.fill} absolute inset-0 origin-left bg-bear`} />
      <i data-fill="bullish" className={`${styles.fill} absolute inset-0 origin-right bg-bull`} />
      {share > 0 && share < 1 ? (
        <i className={`${styles.seam} absolute inset-y-0 -translate-x-1/2 border-s-2 border-text`} />
      ) : null}
      <div className="relative grid h-full content-center px-3 text-xs leading-tight text-on-bull @max-[10rem]:px-2">
        <p className="flex items-center gap-2">
          <span className="sr-only">{agreement(voteType, result)}</span>
          <span aria-hidden className={`display ${styles.figure}`}>
            {figure}
          </span>
          <span
            aria-hidden
            className={cn(
              'grid size-6 shrink-0 place-items-center rounded-full border-2 border-current',
              voteType === 'bearish' ? 'order-first' : 'ms-auto',
            )}
          >
            <Icon size={14} strokeWidth={3} />
          </span>
        </p>
        <p title={project.name} className="truncate text-sm">
          <span aria-hidden>{withYou} · </span>
          <b>
            <Name>{project.name}</Name>
          </b>
        </p>
        <p className="text-balance">
          {lastTime ? `Last time: ${lastTime}. ` : null}
          {when}
        </p>
      </div>
    </div>
  );
}

/** The voted card with its undo, which turns into its result (R59). It names the project: another card is on top by now. */
export function Reveal({ vote }: { vote: LastVote }) {
  const { result, pile } = vote;
  return (
    <div dir="ltr" data-reveal className={`${styles.revealed} relative w-full`}>
      {pile.map((voteType, below) => (
        <i
          // oxlint-disable-next-line react/no-array-index-key -- an edge is a place of the pile
          key={below}
          data-edge={voteType}
          className={cn(styles.edge, 'absolute rounded-lg border', VOTE_LOOKS[voteType].edge)}
        />
      ))}
      {result ? <Back vote={vote} result={result} /> : <Words vote={vote} />}
      <Front vote={vote} />
    </div>
  );
}

/** On the deck, until the next vote. */
export function NewestReveal({ userId }: { userId: number }) {
  useUndoable();
  const vote = useStore(lastVote);
  if (vote?.userId !== userId || (vote.phase === 'final' && vote.result === null)) return null;
  return <Reveal key={vote.id} vote={vote} />;
}
