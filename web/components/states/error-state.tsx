import { CloudOff } from 'lucide-react';
import { AWAY } from '../../lib/api-error.ts';
import { isAway } from '../../lib/is-away.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from './empty-state.tsx';

interface ErrorStateProps {
  error: unknown;
  fallback?: string;
  onRetry?: () => void;
  retrying?: boolean;
  className?: string;
}

export function ErrorState({
  error,
  fallback = 'Something went wrong',
  onRetry,
  retrying,
  className,
}: ErrorStateProps) {
  return (
    <div role="alert" className={className}>
      <EmptyState
        icon={<CloudOff size={28} />}
        title={error instanceof Error && error.message ? error.message : fallback}
        action={
          onRetry ? (
            <Button variant="secondary" onClick={onRetry} busy={retrying ? 'Trying again…' : false}>
              Try again
            </Button>
          ) : null
        }
      >
        {isAway(error) ? AWAY : null}
      </EmptyState>
    </div>
  );
}
