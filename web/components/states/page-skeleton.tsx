import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';

export function PageSkeleton() {
  return (
    <div className="page grid min-h-dvh content-start gap-6 py-10">
      <VisuallyHidden>Loading page...</VisuallyHidden>
      <Skeleton className="h-11 w-2/3 max-w-md" />
      <Skeleton className="h-5 w-full max-w-xl" />
      <Skeleton className="h-72 w-full rounded-xl" />
    </div>
  );
}
