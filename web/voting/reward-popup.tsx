import { Flame } from 'lucide-react';
import { useEffect, useState, type CSSProperties } from 'react';
import { REWARD_POPUP_MS } from '#shared/constants.ts';
import { SnapCoin } from '../components/values/snap-coin.tsx';
import { useStore } from '../lib/external-store.ts';
import { reward, streakText } from './reward.ts';
import * as styles from './voting.module.css';

const COINS = [
  [-120, -70],
  [-78, -118],
  [-16, -140],
  [52, -126],
  [112, -78],
  [128, 6],
  [-132, 18],
] as const;

export function RewardPopup() {
  const newest = useStore(reward);
  const [goneId, setGoneId] = useState(newest?.id ?? 0);
  const shown = newest && newest.id !== goneId ? newest : null;
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setGoneId(shown.id), REWARD_POPUP_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!shown) return null;
  return (
    <div key={shown.id} aria-hidden className="pointer-events-none fixed inset-0 z-50 grid place-items-center">
      <div className={`${styles.reward} relative will-change-transform`}>
        {COINS.map(([x, y], index) => (
          <span
            key={x}
            className={`${styles.coin} absolute top-1/2 left-1/2 -mt-3 -ml-3`}
            style={{ '--to-x': `${x}px`, '--to-y': `${y}px`, animationDelay: `${index * 18}ms` } as CSSProperties}
          >
            <SnapCoin className="size-6" />
          </span>
        ))}
        <p className="display relative flex items-center gap-3 rounded-full border-2 border-gold bg-overlay py-3 pe-7 ps-4 text-2xl shadow-float">
          <SnapCoin className="size-10" />
          <span>+{shown.tokens} TOKENS</span>
        </p>
        {shown.streak === null || shown.streak < 2 ? null : (
          <p className="absolute top-full left-1/2 mt-2 flex -translate-x-1/2 items-center gap-1.5 rounded-full border border-line-strong bg-overlay px-3 py-1 font-semibold whitespace-nowrap shadow-float">
            <Flame size={18} className="text-muted" />
            {streakText(shown.streak)}
          </p>
        )}
      </div>
    </div>
  );
}
