import { LANDING_EXAMPLES } from '#shared/constants.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';

export const EXAMPLES_GRID = 'grid gap-5 sm:grid-cols-2 md:grid-cols-3';
export const EXAMPLE_PLACE = 'min-w-0 sm:nth-3:hidden md:nth-3:block';

export function LoadingExamples() {
  return (
    <div className={EXAMPLES_GRID}>
      <VisuallyHidden>Loading projects...</VisuallyHidden>
      {Array.from({ length: LANDING_EXAMPLES }, (_, index) => (
        <div key={index} className={`panel overflow-hidden ${EXAMPLE_PLACE}`}>
          <Skeleton className="aspect-[4/3] w-full rounded-none" />
          <div className="grid gap-3 p-5">
            <Skeleton className="h-7 w-2/3" />
            <Skeleton className="h-18 w-full" />
            <Skeleton className="h-9 w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}
