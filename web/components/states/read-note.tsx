import { cn } from '../../ui/class-names.ts';

export interface ReadFailure {
  error: Error;
  retry: () => void;
  isRetrying: boolean;
}

interface ReadNoteProps {
  failure: ReadFailure;
  isStale?: boolean;
  className?: string;
}

export function ReadNote({ failure: { error, retry, isRetrying }, isStale = false, className }: ReadNoteProps) {
  return (
    <output className={cn('flex flex-wrap items-center gap-x-3 text-sm text-muted', className)}>
      <span>
        {error.message}.{isStale ? ' These numbers may be out of date.' : ''}
      </span>
      <button
        type="button"
        aria-disabled={isRetrying || undefined}
        onClick={retry}
        className="min-h-11 rounded-md font-semibold text-link underline-offset-4 hover:underline"
      >
        {isRetrying ? 'Trying again…' : 'Try again'}
      </button>
    </output>
  );
}
