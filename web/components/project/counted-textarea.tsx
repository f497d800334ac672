import type { ComponentProps } from 'react';
import { cleanText } from '#shared/text/clean-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { countChars } from '#shared/text/text.ts';
import { cn } from '../../ui/class-names.ts';
import { Field, Textarea } from '../../ui/field.tsx';

type CountedTextareaProps = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'maxLength'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Code points of the text as it will be stored, counted as the server counts them (R15); nothing is cut off. */
  maxChars: number;
  hint?: string;
  error?: string | null;
  counter?: 'used' | 'left';
};

export function CountedTextarea({
  label,
  value,
  onChange,
  maxChars,
  hint,
  error,
  counter = 'used',
  ...rest
}: CountedTextareaProps) {
  const used = countChars(cleanText(value));
  const over = used > maxChars;
  const left = over
    ? `${plural(used - maxChars, 'character')} too many`
    : `${plural(maxChars - used, 'character')} left`;
  return (
    <Field
      label={label}
      hint={hint}
      error={error ?? null}
      aside={
        <span className={cn('text-sm', over ? 'font-semibold text-text' : 'text-faint')}>
          {counter === 'used' ? `${used}/${maxChars}` : left}
        </span>
      }
    >
      {(control) => (
        <Textarea
          {...rest}
          {...control}
          aria-invalid={over || control['aria-invalid']}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
