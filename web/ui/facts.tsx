import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

export interface Fact {
  label: string;
  value?: ReactNode;
  note?: ReactNode;
  /** Its color or texture in a `ShareBar`. */
  fill?: string;
}

/** Beside two colors a third part that no theme and no color blindness hides. */
export const HATCHED = 'bg-[repeating-linear-gradient(45deg,var(--c-line-strong)_0_4px,transparent_4px_7px)]';

interface FactsProps {
  facts: readonly Fact[];
  className?: string;
}

/** Figures in columns, each below its label; on narrow screens a line each, the figure at its end. */
export function Facts({ facts, className }: FactsProps) {
  return (
    <dl className={cn('grid gap-x-6 gap-y-2.5 sm:gap-y-4', className)}>
      {facts.map(({ label, value, note, fill }) => (
        <div
          key={label}
          className="grid content-start gap-x-4 gap-y-0.5 max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:items-baseline"
        >
          <dt className="flex items-center gap-2 font-semibold">
            {fill ? <span aria-hidden className={cn('size-3.5 shrink-0 rounded border border-line', fill)} /> : null}
            {label}
          </dt>
          {value === undefined ? null : <dd className="display text-lg sm:text-2xl">{value}</dd>}
          {note === undefined ? null : <dd className="text-sm text-muted max-sm:col-span-2">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Figures of little weight, each beside its label. */
export function FactLine({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex gap-1.5">
          <dt className="text-faint">{label}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Part {
  label: string;
  count: number;
  fill: string;
}

/** Parts of a whole; `Facts` with the same fills are its legend. */
export function ShareBar({ parts }: { parts: readonly Part[] }) {
  return (
    <div aria-hidden className="flex h-6 gap-0.5 overflow-hidden rounded-full">
      {parts
        .filter(({ count }) => count > 0)
        .map(({ label, count, fill }) => (
          <span key={label} className={fill} style={{ flexGrow: count, flexBasis: 12 }} />
        ))}
    </div>
  );
}
