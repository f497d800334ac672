import { useId, type ReactNode } from 'react';
import { cn } from './class-names.ts';

interface SegmentedProps<V extends string> {
  label: string;
  options: readonly { value: V; label: ReactNode }[];
  value: V;
  onChange: (value: V) => void;
  className?: string;
}

export function Segmented<V extends string>({ label, options, value, onChange, className }: SegmentedProps<V>) {
  const name = useId();
  return (
    <fieldset className={cn('inline-flex max-w-full gap-1 rounded-full border border-line bg-raised p-1', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cn(
            'relative inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-full px-4 font-semibold whitespace-nowrap text-muted transition-colors hover:text-text max-[22rem]:px-2.5',
            'has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            className="absolute inset-0 cursor-pointer appearance-none rounded-full opacity-0"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
