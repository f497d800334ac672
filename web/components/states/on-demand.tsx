import { Suspense, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Boundary } from './boundary.tsx';

interface OnDemandProps {
  /** A `part.Part` of loadable(). */
  children: ReactNode;
  /** The part's own `retry`. */
  onRetry: () => void;
  /** The subject of '… could not be loaded.' */
  name: string;
  /** Shown while the code loads. */
  loading?: ReactNode;
  className?: string;
}

/** The place of a part whose code comes on demand; where it cannot be fetched, a line reports it and offers a second try. */
export function OnDemand({ children, onRetry, name, loading = null, className }: OnDemandProps) {
  return (
    <Boundary
      onRetry={onRetry}
      renderFailure={(retry) => (
        <div role="alert" className={cn('flex flex-wrap items-center gap-3', className)}>
          {name} could not be loaded.
          <Button variant="secondary" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
    >
      <Suspense fallback={loading}>{children}</Suspense>
    </Boundary>
  );
}
