import { type RefObject, useEffect, useId, useRef } from 'react';
import { Link } from 'wouter';
import type { CallSummary, VoteHistoryItem } from '#shared/contract/users.ts';
import { plural } from '#shared/numbers/plural.ts';
import { dayText } from '#shared/text/day-text.ts';
import { ProjectImage } from '../../../components/project/project-image.tsx';
import { ChangeLink } from '../../../components/values/change-link.tsx';
import { Name } from '../../../components/values/name.tsx';
import { shareText, TwoDots } from '../../../components/values/two-dots.tsx';
import { type Exit, flyOut, STILL, widthsOf } from '../../../deck/card-flight.ts';
import * as deckStyles from '../../../deck/deck.module.css';
import { attachSwipe } from '../../../deck/swipe.ts';
import type { Launch } from '../../../deck/swipe-math.ts';
import { useDeckKeys } from '../../../deck/use-deck-keys.ts';
import { announce } from '../../../lib/announce.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';

const ROWS = 3;

function Row({ vote }: { vote: VoteHistoryItem }) {
  const { project, call } = vote;
  return (
    <li className="flex items-center gap-3">
      <ProjectImage
        src={project.imageUrl}
        name={project.name}
        alt=""
        width={48}
        height={64}
        eager
        className="aspect-3/4 w-12 shrink-0 rounded-md [@media(height<36rem)]:w-9"
      />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex items-baseline justify-between gap-3">
          <Link
            href={paths.project(project)}
            title={project.name}
            draggable={false}
            className="min-w-0 truncate font-semibold underline-offset-4 hover:underline"
          >
            <Name>{project.name}</Name>
          </Link>
          <ChangeLink vote={vote} />
        </p>
        {call?.seen ? (
          <>
            <TwoDots then={call.seen} now={call.now} />
            <p className="flex justify-between text-sm text-muted tabular-nums">
              <span>then {shareText(call.seen)}</span>
              <b className="text-text">now {shareText(call.now)}</b>
            </p>
          </>
        ) : null}
      </div>
    </li>
  );
}

interface ReturnCardProps {
  calls: CallSummary;
  regionRef: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** What became of the user's calls since the last visit (R95), dealt on the deck and swiped away. */
export function ReturnCard({ calls: { since, given, moved, movedVotes }, regionRef, onClose }: ReturnCardProps) {
  const titleId = useId();
  const stackRef = useRef<HTMLDivElement>(null);
  const isLeaving = useRef(false);
  const title = `Since ${dayText(since ?? '').slice(0, -5)}: ${moved.toLocaleString()} of your ${plural(given, 'call')} moved`;
  useEffect(() => announce(title), [title]);

  function leave(exit: Exit, launch: Launch = STILL): boolean {
    const card = stackRef.current?.querySelector<HTMLElement>('[data-depth]');
    if (!card || isLeaving.current) return false;
    isLeaving.current = true;
    if (card.contains(document.activeElement)) regionRef.current?.focus({ preventScroll: true });
    flyOut(card, exit, launch, widthsOf(card)).finished.then(onClose, onClose);
    return true;
  }
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(() => {
    const stack = stackRef.current;
    if (!stack) return undefined;
    return attachSwipe(stack, { onSwipe: (side, launch) => latest.current(side, launch), canVote: () => true });
  }, []);
  useDeckKeys(regionRef, { onVote: leave, onSkip: () => leave('skip'), onUndo: () => undefined, enabled: true });

  return (
    <div ref={stackRef} data-live className={`${deckStyles.stack} z-10 w-full`}>
      <section
        aria-labelledby={titleId}
        data-depth="0"
        className={`${deckStyles.card} panel relative h-auto w-full overflow-hidden rounded-2xl shadow-float dark:bg-raised`}
      >
        <h2 id={titleId} className="px-4 pt-4 text-center text-lg leading-tight text-balance">
          {title}
        </h2>
        <ul className="grid min-h-0 flex-1 touch-pan-y touch-pinch-zoom gap-4 overflow-y-auto px-4 py-4 sm:px-6 [@media(height<36rem)]:gap-1.5 [@media(height<36rem)]:py-2">
          {movedVotes.slice(0, ROWS).map((vote) => (
            <Row key={vote.id} vote={vote} />
          ))}
        </ul>
        <div className="flex justify-center border-t border-line px-4 py-3 [@media(height<36rem)]:py-1.5">
          <Button onClick={() => leave('skip')}>Start today&apos;s ten</Button>
        </div>
      </section>
    </div>
  );
}
