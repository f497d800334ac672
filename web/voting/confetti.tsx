import type { CSSProperties } from 'react';
import * as styles from './voting.module.css';

const TONES = ['bg-gold', 'bg-silver', 'bg-bronze', 'bg-text'];
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

export function Confetti({ className }: { className: string }) {
  return (
    <div aria-hidden className={className}>
      {PIECES.map(({ id, tone, style }) => (
        <span key={id} className={`${styles.confetti} absolute h-3.5 w-2 rounded-sm ${tone}`} style={style} />
      ))}
    </div>
  );
}
