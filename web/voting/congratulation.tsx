import { useEffect, useId, useRef, type CSSProperties } from 'react';
import { SnapCoin } from '../components/values/snap-coin.tsx';
import { useStore } from '../lib/external-store.ts';
import { Button } from '../ui/button.tsx';
import { congratulation } from './last-vote.ts';
import * as styles from './voting.module.css';

const TONES = ['bg-accent', 'bg-bull', 'bg-gold', 'bg-bear', 'bg-silver'];
const PIECE_COUNT = 40;
const PIECES = Array.from({ length: PIECE_COUNT }, (_, i) => {
  const angle = (i / PIECE_COUNT) * Math.PI * 2;
  const distance = 170 + ((i * 53) % 190);
  const style = {
    '--to-x': `${Math.round(Math.cos(angle) * distance)}px`,
    '--to-y': `${Math.round(Math.sin(angle) * distance + 40)}px`,
    '--spin': `${((i * 97) % 720) - 360}deg`,
    animationDelay: `${(i * 37) % 260}ms`,
  } as CSSProperties;
  return { id: i, tone: TONES[i % TONES.length] ?? '', style };
});

/** The total earned passed 1000 (S2.17, R10): a party in the top layer, until it is closed by button, Escape or a press beside it. */
function Party({ tokens }: { tokens: number }) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    const pressBeside = (event: MouseEvent) => {
      if (event.target === dialog) dialog?.close();
    };
    dialog?.addEventListener('click', pressBeside);
    return () => dialog?.removeEventListener('click', pressBeside);
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={() => congratulation.set(null)}
      className="m-auto w-[min(24rem,calc(100vw-2rem))] overflow-visible rounded-2xl border-2 border-gold bg-surface p-0 text-text shadow-float backdrop:bg-scrim"
    >
      <div className="relative grid justify-items-center gap-2 px-6 pt-10 pb-7 text-center">
        <div aria-hidden className="absolute top-24 left-1/2">
          {PIECES.map(({ id, tone, style }) => (
            <span key={id} className={`${styles.confetti} absolute h-3.5 w-2 rounded-sm ${tone}`} style={style} />
          ))}
        </div>
        <SnapCoin className="relative size-28" />
        <h2 id={titleId} className="relative text-2xl">
          Congratulations!
        </h2>
        <p className="display relative text-7xl">{tokens}</p>
        <p className="relative mb-4 max-w-64 text-muted">Snaps earned with your votes.</p>
        <Button size="lg" className="relative" onClick={() => ref.current?.close()}>
          Keep swiping
        </Button>
      </div>
    </dialog>
  );
}

export function Congratulation() {
  const tokens = useStore(congratulation);
  return tokens === null ? null : <Party tokens={tokens} />;
}
