import { Undo2 } from 'lucide-react';
import { type CSSProperties, useEffect, useState } from 'react';
import { ProjectImage } from '../components/project/project-image.tsx';
import { Name } from '../components/values/name.tsx';
import { useStore } from '../lib/external-store.ts';
import { useKeptFocus } from '../lib/use-kept-focus.ts';
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

function UndoButton({ vote }: { vote: LastVote }) {
  const isBusy = vote.phase === 'undoing';
  const label = isBusy ? 'Undoing' : 'Undo';
  const [leftMs] = useState(() => Math.max(0, vote.undoUntilMs - performance.now()));
  return (
    <button
      ref={useKeptFocus()}
      type="button"
      aria-disabled={isBusy || undefined}
      aria-label={`${label} your ${vote.changes === undefined ? 'vote' : 'change'} on ${vote.project.name}`}
      aria-keyshortcuts="Z"
      onClick={() => void undoLastVote()}
      className={cn(
        'relative inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-2 text-sm font-bold text-link transition-colors select-none hover:bg-overlay',
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
      className={`${styles.front} absolute overflow-hidden rounded-lg border border-line-strong bg-raised shadow-float`}
    >
      <ProjectImage
        src={project.imageUrl}
        name={project.name}
        alt=""
        width={64}
        height={85}
        eager
        priority="low"
        className="size-full"
      />
      <span aria-hidden className={cn('absolute end-0.5 top-0.5 grid size-5 place-items-center rounded-full', chosen)}>
        <Icon size={14} strokeWidth={3} />
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
      <span className="sr-only">Show </span>
      <span className="bg-surface py-0.5 text-center capitalize">result</span>
    </button>
  );
}

function sayVote({ voteType, changes }: Pick<LastVote, 'voteType' | 'changes'>): string {
  if (changes === undefined) return VOTE_LOOKS[voteType].label;
  return `${changes === voteType ? 'Still' : 'Now'} ${voteType}`;
}

/** The words stand below each other. */
const NARROW = '@max-[13rem]:flex-col @max-[13rem]:justify-center @max-[13rem]:gap-1 @max-[13rem]:text-center';

function Words({ vote }: { vote: LastVote }) {
  const { project, lastTime, before } = vote;
  const result = before?.result;
  const [figure, , withYou] = result ? agreementParts(before.voteType, result) : [];
  return (
    <div className={`${styles.words} flex items-center gap-x-2 text-sm leading-tight ${NARROW}`}>
      <div className="min-w-0 flex-1 @max-[13rem]:w-full @max-[13rem]:flex-none">
        <p title={project.name} className="truncate text-base">
          <span className="sr-only">{sayVote(vote)} on </span>
          <b>
            <Name>{project.name}</Name>
          </b>
        </p>
        {result ? (
          <p title={before.project.name} className={`${styles.reveal} truncate text-muted`}>
            <span className="sr-only">{agreement(before.voteType, result)} · </span>
            <span aria-hidden>
              <b className="text-text">{figure}</b> {withYou} ·{' '}
            </span>
            <Name>{before.project.name}</Name>
          </p>
        ) : null}
        {lastTime && !result ? <p className="truncate text-muted">Last time: {lastTime}</p> : null}
      </div>
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
      className={`${styles.back} overflow-hidden rounded-xl border border-transparent shadow-float`}
      style={{ '--bearish': share, '--chars': Math.max(8, figure.length) } as CSSProperties}
    >
      <i data-fill="bearish" className={`${styles.fill} absolute inset-0 origin-left bg-bear`} />
      <i data-fill="bullish" className={`${styles.fill} absolute inset-0 origin-right bg-bull`} />
      {share > 0 && share < 1 ? (
        <i className={`${styles.seam} absolute inset-y-0 -translate-x-1/2 border-s-2 border-surface/50`} />
      ) : null}
      <div className={`relative flex h-full items-center gap-3 px-3 text-sm leading-tight text-on-bull ${NARROW}`}>
        <p className={`display ${styles.figure} shrink-0`}>
          <span className="sr-only">{agreement(voteType, result)}</span>
          <span aria-hidden>{figure}</span>
        </p>
        <div className="min-w-0 flex-1 @max-[13rem]:w-full @max-[13rem]:flex-none">
          <p title={project.name} className="truncate">
            <span aria-hidden>{withYou} · </span>
            <b>
              <Name>{project.name}</Name>
            </b>
          </p>
          <p title={when} className="line-clamp-3 text-xs leading-tight @max-[13rem]:line-clamp-none">
            {lastTime ? `Last time: ${lastTime}. ` : null}
            {when}
          </p>
        </div>
        <span
          aria-hidden
          className={cn(
            'grid size-6 shrink-0 place-items-center rounded-full border-2 border-current',
            voteType === 'bearish' && 'order-first',
          )}
        >
          <Icon size={14} strokeWidth={3} />
        </span>
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
