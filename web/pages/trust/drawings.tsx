import type { ReactNode } from 'react';

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 120 72" aria-hidden className="h-18 w-30 shrink-0" fill="none" strokeLinecap="round">
      {children}
    </svg>
  );
}

const Wallet = ({ x, y, look = 'stroke-line-strong' }: { x: number; y: number; look?: string }) => (
  <g className={look} strokeWidth="2">
    <rect x={x} y={y} width="24" height="18" rx="4" className="fill-raised" />
    <path d={`M${x + 16} ${y + 9}h8`} />
  </g>
);
const Coin = ({ x, y }: { x: number; y: number }) => <circle cx={x} cy={y} r="6" className="fill-gold" />;

export const OneVoteEach = () => (
  <Drawing>
    {[8, 48, 88].map((x, index) => (
      <g key={x}>
        <Wallet x={x} y={46} />
        <path d={`M${x + 12} 42V30`} strokeWidth="2" className="stroke-line-strong" />
        <rect
          x={x + 2}
          y="6"
          width="20"
          height="22"
          rx="4"
          strokeWidth="2"
          className={index === 1 ? 'fill-bear-soft stroke-bear' : 'fill-bull-soft stroke-bull'}
        />
      </g>
    ))}
  </Drawing>
);

export const TwoReadings = () => (
  <Drawing>
    <path d="M6 58h108" strokeWidth="2" className="stroke-line-strong" />
    {[34, 86].map((x) => (
      <g key={x}>
        <path d={`M${x} 58V44`} strokeWidth="2" className="stroke-text" />
        <circle cx={x} cy="58" r="4" className="fill-text" />
        <Wallet x={x - 12} y={24} />
        <Coin x={x} y={14} />
      </g>
    ))}
  </Drawing>
);

export const CountedApart = () => (
  <Drawing>
    <rect x="10" y="14" width="100" height="14" rx="7" className="fill-line-strong" />
    <rect x="10" y="44" width="62" height="14" rx="7" className="fill-text" />
    <path d="m84 51 5 5 10-11" strokeWidth="3" strokeLinejoin="round" className="stroke-text" />
  </Drawing>
);

export const SetAside = () => (
  <Drawing>
    {[8, 36, 92].map((x) => (
      <rect
        key={x}
        x={x}
        y="8"
        width="20"
        height="26"
        rx="4"
        strokeWidth="2"
        className="fill-raised stroke-line-strong"
      />
    ))}
    <rect
      x="64"
      y="38"
      width="20"
      height="26"
      rx="4"
      strokeWidth="2"
      strokeDasharray="4 4"
      className="fill-raised stroke-text"
    />
    <path d="M74 16v12" strokeWidth="2" className="stroke-text" />
  </Drawing>
);

export const OneRoot = () => (
  <Drawing>
    <g strokeWidth="2" className="stroke-line-strong">
      <path d="M18 54 31 38M44 54 31 38M76 54 89 38M102 54 89 38M31 36 60 18M89 36 60 18" />
      {[10, 36, 68, 94].map((x) => (
        <rect key={x} x={x} y="54" width="16" height="12" rx="3" className="fill-raised" />
      ))}
      <circle cx="31" cy="37" r="5" className="fill-raised" />
      <circle cx="89" cy="37" r="5" className="fill-raised" />
    </g>
    <circle cx="60" cy="14" r="9" className="fill-text" />
  </Drawing>
);

export const Anchored = () => (
  <Drawing>
    <circle cx="60" cy="12" r="9" className="fill-text" />
    <path d="M60 22v18" strokeWidth="2" strokeDasharray="3 4" className="stroke-text" />
    {[8, 48, 88].map((x) => (
      <rect
        key={x}
        x={x}
        y="42"
        width="24"
        height="22"
        rx="5"
        strokeWidth="2"
        className={x === 48 ? 'fill-overlay stroke-text' : 'fill-raised stroke-line-strong'}
      />
    ))}
    <path d="M32 53h16M72 53h16" strokeWidth="2" className="stroke-line-strong" />
  </Drawing>
);
