import { cn } from '../../ui/class-names.ts';

/** A read that failed, for `ReadNote`. */
export interface ReadFailure {
  error: Error;
  retry: () => void;
  isRetrying: boolean;
}

interface ReadNoteProps {
  failure: ReadFailure;
  /** Numbers of an earlier read are shown beside it. */
  isStale?: boolean;
  className?: string;
}

/** A failed read in a line: its message (S8.2) and a way to try again. For a whole page see ErrorState. */
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
