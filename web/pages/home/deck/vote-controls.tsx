import { Redo2 } from 'lucide-react';
import { memo } from 'react';
import { cn } from '../../../ui/class-names.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { CalendarButton } from '../../../voting/calendar-button.tsx';
import { VOTE_LOOKS } from '../../../voting/vote-looks.ts';
import { VotePill } from '../../../voting/vote-pill.tsx';
import * as styles from './deck.module.css';
import type { VoteType } from './deck.ts';
import type { VoteAllowance } from '../../../voting/use-voting-status.ts';

interface RoundButtonProps {
  voteType: VoteType;
  disabled: boolean;
  onPress: (vote: VoteType) => void;
}

/** aria-disabled instead of disabled: a button that is switched off under the focus must not lose it. */
function RoundButton({ voteType, disabled, onPress }: RoundButtonProps) {
  const { label, Icon, button } = VOTE_LOOKS[voteType];
  return (
    <button
      type="button"
      aria-disabled={disabled || undefined}
      onClick={() => {
        if (!disabled) onPress(voteType);
      }}
      className={cn(
        'grid size-17 shrink-0 place-items-center content-center rounded-full border-2 text-xs font-bold shadow-card select-none',
        'transition-[transform,background-color,color] duration-200 ease-snap',
        disabled
          ? 'cursor-not-allowed border-line bg-raised text-faint'
          : cn(button, 'hover:scale-106 active:scale-94'),
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

/** Without votes left, an appointment for the next ones; else the keys, where there is a keyboard. */
function Hints({ allowance: { status, phase }, hasCard }: { allowance: VoteAllowance; hasCard: boolean }) {
  if (phase === 'limited' && status?.periodEndsAt)
    return <CalendarButton returnAt={status.periodEndsAt} className="px-4! text-sm" />;
  return (
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
      <span>
        <kbd>Z</kbd> undo
      </span>
    </p>
  );
}

/** The two votes and Skip (S2.12); below them the newest vote (R59). */
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
    // Each button is on the side that its vote goes to, in every language (S5.2).
    <div dir="ltr" className={`${styles.controls} grid justify-items-center gap-1.5`}>
      <div className="flex items-center justify-center gap-5 sm:gap-6">
        <RoundButton voteType="bearish" disabled={!canVote} onPress={onVote} />
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
        <RoundButton voteType="bullish" disabled={!canVote} onPress={onVote} />
      </div>
      <div className={`${styles.place} grid h-11 w-full place-items-center`}>
        <div className={styles.hints}>{isEnded ? null : <Hints allowance={allowance} hasCard={hasCard} />}</div>
        {isEnded ? null : <VotePill />}
      </div>
    </div>
  );
});
