import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

export type BadgeTone = 'neutral' | 'accent' | 'bull' | 'bear' | 'warn';

const TONES: Record<BadgeTone, string> = {
  neutral: 'bg-raised text-muted border-line',
  accent: 'bg-text text-bg border-transparent',
  bull: 'bg-bull-soft text-bull border-transparent',
  bear: 'bg-bear-soft text-bear border-transparent',
  warn: 'bg-warn-soft text-warn border-transparent',
};

export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: BadgeTone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={cn(
        'inline-flex max-w-full items-center gap-1 rounded-full border px-2.5 py-0.5 text-sm font-semibold whitespace-nowrap [&_svg]:shrink-0',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
