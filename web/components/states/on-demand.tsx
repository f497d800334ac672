import { Suspense, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Boundary } from './boundary.tsx';

interface OnDemandProps {
  children: ReactNode;
  onRetry: () => void;
  name: string;
  loading?: ReactNode;
  className?: string;
}

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
