import { Hourglass, Redo2, TrendingDown, TrendingUp, type LucideIcon } from 'lucide-react';
import { memo } from 'react';
import { ReadNote } from '../../../components/states/read-note.tsx';
import { cn } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { Countdown } from '../stats/countdown.tsx';
import type { VoteType } from './deck.ts';
import type { VoteAllowance } from '../stats/use-voting-status.ts';

interface RoundButtonProps {
  label: string;
  Icon: LucideIcon;
  look: string;
  disabled: boolean;
  onPress: () => void;
}

/** aria-disabled instead of disabled: a button that is switched off under the focus must not lose it. */
function RoundButton({ label, Icon, look, disabled, onPress }: RoundButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={disabled || undefined}
      onClick={() => {
        if (!disabled) onPress();
      }}
      className={cn(
        'grid size-17 shrink-0 place-items-center content-center rounded-full border-2 text-xs font-bold shadow-card select-none',
        'transition-[transform,background-color,color] duration-200 ease-snap',
        disabled ? 'cursor-not-allowed border-line bg-raised text-faint' : cn(look, 'hover:scale-106 active:scale-94'),
      )}
    >
      <Icon aria-hidden size={26} strokeWidth={2.5} />
      {label}
    </button>
  );
}

interface VoteControlsProps {
  /** False while there is no card to vote on. */
  hasCard: boolean;
  /** The session has ended: nothing can be done before the next sign-in. */
  isEnded: boolean;
  allowance: VoteAllowance;
  onVote: (vote: VoteType) => void;
  onSkip: () => void;
}

/** The two votes and Skip (S2.12), and how many votes are left. */
export const VoteControls = memo(function VoteControls({
  hasCard: isThere,
  isEnded,
  allowance,
  onVote,
  onSkip,
}: VoteControlsProps) {
  const hasCard = isThere && !isEnded;
  const canVote = hasCard && allowance.phase === 'open';
  return (
    <div className="mt-10 grid justify-items-center gap-2.5">
      <div className="flex items-center justify-center gap-5 sm:gap-6">
        <RoundButton
          label="Bearish"
          Icon={TrendingDown}
          look="border-bear bg-bear-soft text-bear hover:bg-bear hover:text-on-bear"
          disabled={!canVote}
          onPress={() => onVote('bearish')}
        />
        <button
          type="button"
          aria-disabled={!hasCard || undefined}
          onClick={() => {
            if (hasCard) onSkip();
          }}
          className={buttonClass('secondary', 'md', 'min-w-24')}
        >
          <Redo2 aria-hidden size={18} />
          Skip
        </button>
        <RoundButton
          label="Bullish"
          Icon={TrendingUp}
          look="border-bull bg-bull-soft text-bull hover:bg-bull hover:text-on-bull"
          disabled={!canVote}
          onPress={() => onVote('bullish')}
        />
      </div>
      {isEnded ? (
        <p className="flex h-7 items-center text-sm text-muted">Sign in again to vote</p>
      ) : (
        <AllowanceLine allowance={allowance} />
      )}
      <p
        aria-hidden
        className={cn(
          'hidden items-center gap-4 text-sm text-faint lg:pointer-fine:flex [&_kbd]:rounded-sm [&_kbd]:border [&_kbd]:border-line [&_kbd]:bg-raised [&_kbd]:px-1.5 [&_kbd]:font-sans [&_kbd]:text-muted',
          // Keys without a card do nothing; the place stays, so that nothing moves when a card comes.
          !hasCard && 'invisible',
        )}
      >
        <span>
          <kbd>←</kbd> bearish
        </span>
        <span>
          <kbd>↓</kbd> skip
        </span>
        <span>
          <kbd>→</kbd> bullish
        </span>
      </p>
    </div>
  );
});

/** One line under the buttons, always as high as this: votes left, or the limit with its countdown. */
function AllowanceLine({ allowance: { status, phase, failure } }: { allowance: VoteAllowance }) {
  if (!status && failure) return <ReadNote failure={failure} className="-my-2 justify-center" />;
  if (!status) return <Skeleton className="my-1 h-5 w-36" />;
  if (phase === 'open') {
    return (
      <p className="flex h-7 items-center text-sm font-semibold text-muted">
        {status.votesRemaining} of {status.totalVotesAllowed} votes left
      </p>
    );
  }
  return (
    <p className="flex h-7 items-center gap-1.5 rounded-full bg-bear-soft px-3 text-sm font-semibold text-bear">
      <Hourglass aria-hidden size={15} />
      Rate limit reached
      <span aria-hidden>·</span>
      {status.periodEndsAt ? <Countdown iso={status.periodEndsAt} /> : null}
    </p>
  );
}
