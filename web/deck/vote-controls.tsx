import { Redo2 } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { switchLetterKeys, useLetterKeys } from '../lib/key-of.ts';
import { useKeptFocus } from '../lib/use-kept-focus.ts';
import { cn } from '../ui/class-names.ts';
import { buttonClass } from '../ui/button.tsx';
import { VOTE_LOOKS } from '../voting/vote-looks.ts';
import * as styles from './deck.module.css';
import type { VoteType } from './deck.ts';

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
      data-vote={voteType}
      aria-disabled={disabled || undefined}
      onClick={() => {
        if (!disabled) onPress(voteType);
      }}
      className={cn(
        styles.round,
        'grid size-[min(4.25rem,45cqw)] shrink-0 place-items-center content-center rounded-full border-2 text-xs font-bold shadow-card select-none',
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

const KEYS = [
  ['←', 'bearish'],
  ['↓', 'skip'],
  ['→', 'bullish'],
] as const;

export function KeyHints({ hasCard }: { hasCard: boolean }) {
  const areLettersOn = useLetterKeys();
  const label = `Z undo and S skip by letter: ${areLettersOn ? 'on' : 'off'}`;
  return (
    <div
      className={cn(
        'hidden flex-wrap items-center justify-center gap-x-3 text-sm text-faint lg:pointer-fine:flex [&_kbd]:rounded-sm [&_kbd]:border [&_kbd]:border-line [&_kbd]:bg-raised [&_kbd]:px-1.5 [&_kbd]:font-sans [&_kbd]:text-muted',
        !hasCard && 'invisible',
      )}
    >
      {KEYS.map(([key, use]) => (
        <span key={key} aria-hidden>
          <kbd>{key}</kbd> {use}
        </span>
      ))}
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => switchLetterKeys(!areLettersOn)}
        className={cn(
          'min-h-11 underline decoration-dotted underline-offset-4 hover:text-text',
          !areLettersOn && 'line-through',
        )}
      >
        <kbd>Z</kbd> undo
      </button>
    </div>
  );
}

interface VoteButtonsProps {
  hasCard: boolean;
  canVote: boolean;
  onVote: (vote: VoteType) => void;
  onSkip: () => void;
}

function VoteButtons({ hasCard, canVote, onVote, onSkip }: VoteButtonsProps) {
  return (
    <div ref={useKeptFocus()} className={`${styles.buttons} items-center justify-center gap-5 sm:gap-6`}>
      <RoundButton voteType="bearish" disabled={!canVote} onPress={onVote} />
      <button
        type="button"
        data-vote="skip"
        aria-disabled={!hasCard || undefined}
        onClick={() => {
          if (hasCard) onSkip();
        }}
        className={buttonClass('secondary', 'md', `${styles.skip} min-w-24`)}
      >
        <Redo2 aria-hidden size={18} />
        Skip
      </button>
      <RoundButton voteType="bullish" disabled={!canVote} onPress={onVote} />
    </div>
  );
}

interface VoteControlsProps extends VoteButtonsProps {
  isOver: boolean;
  below: ReactNode;
}

export const VoteControls = memo(function VoteControls({ isOver, below, ...buttons }: VoteControlsProps) {
  return (
    <div dir="ltr" className={styles.controls}>
      {isOver ? null : <VoteButtons {...buttons} />}
      <div className={`${styles.place} grid content-center justify-items-center`}>{below}</div>
    </div>
  );
});
