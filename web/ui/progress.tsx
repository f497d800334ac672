import { cn } from './class-names.ts';

interface ProgressProps {
  value: number;
  max: number;
  label: string;
  tone?: 'accent' | 'bull' | 'bear';
  className?: string;
}

const FILL = { accent: 'bg-accent', bull: 'bg-bull', bear: 'bg-bear' };

/** A bar that fills from the left; `label` says what it measures. */
export function Progress({ value, max, label, tone = 'accent', className }: ProgressProps) {
  const percent = max > 0 ? Math.min(100, Math.max(0, (value / max) * 100)) : 0;
  return (
    <div className={cn('relative h-2 overflow-hidden rounded-full bg-raised', className)}>
      {/* The element speaks, the bar is drawn: browsers agree on no way to style it. */}
      <progress aria-label={label} value={value} max={max} className="absolute inset-0 size-full opacity-0" />
      <div
        className={cn('h-full rounded-full transition-transform duration-500', FILL[tone])}
        style={{ transform: `translateX(${percent - 100}%)` }}
      />
    </div>
  );
}
