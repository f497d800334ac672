import { useId, type ComponentProps, type ReactNode } from 'react';
import { cn } from './class-names.ts';
import { useEarlyChange } from './use-early-change.ts';

export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  aside?: ReactNode;
  className?: string;
  children: (control: FieldControl) => ReactNode;
}

export function Field({ label, hint, error, aside, className, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={cn('grid gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-faint">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-text">
          {error}
        </p>
      ) : null}
    </div>
  );
}

const CONTROL =
  'w-full rounded-md border border-line-strong/60 bg-bg px-3.5 py-2.5 text-base text-text transition-colors ' +
  'hover:border-line-strong focus-visible:outline-offset-0 focus-visible:border-accent disabled:opacity-55 ' +
  'aria-invalid:border-2 aria-invalid:border-text';

export function Input({ className, ref, ...rest }: ComponentProps<'input'>) {
  const control = useEarlyChange({ ref, ...rest });
  return <input className={cn(CONTROL, 'min-h-11', className)} {...rest} ref={control} />;
}

export function Textarea({ className, rows = 4, ref, ...rest }: ComponentProps<'textarea'>) {
  const control = useEarlyChange({ ref, ...rest });
  return <textarea rows={rows} className={cn(CONTROL, 'resize-y', className)} {...rest} ref={control} />;
}

export function Select({ className, children, ref, ...rest }: ComponentProps<'select'>) {
  const control = useEarlyChange({ ref, ...rest });
  return (
    <select className={cn(CONTROL, 'select-arrow min-h-11', className)} {...rest} ref={control}>
      {children}
    </select>
  );
}

interface FileInputProps extends Partial<FieldControl> {
  'aria-label'?: string;
  'data-field'?: string;
  accept: string;
  disabled?: boolean | undefined;
  onFile: (file: File) => void;
  className?: string;
  /** The looks, below the browser's own control, which stays what is pressed, focused and announced. */
  children: ReactNode;
}

export function FileInput({ accept, disabled, onFile, className, children, ...control }: FileInputProps) {
  return (
    <span
      className={cn(
        'relative has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent has-disabled:opacity-55',
        className,
      )}
    >
      {children}
      <input
        {...control}
        type="file"
        accept={accept}
        disabled={disabled}
        className="absolute inset-0 size-full cursor-pointer opacity-0 file:cursor-pointer disabled:cursor-not-allowed"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) onFile(file);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </span>
  );
}
