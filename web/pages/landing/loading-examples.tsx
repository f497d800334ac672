import { LANDING_EXAMPLES } from '#shared/constants.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';

export const EXAMPLES_GRID = 'grid gap-5 sm:grid-cols-2 md:grid-cols-3';
export const EXAMPLE_PLACE = 'min-w-0 sm:nth-3:hidden md:nth-3:block';

/** Still until they load: nothing moves out of sight. */
export function LoadingExamples({ isStill = false }: { isStill?: boolean }) {
  const tone = isStill ? 'bg-raised' : 'shimmer';
  return (
    <div className={EXAMPLES_GRID}>
      {isStill ? null : <VisuallyHidden>Loading projects...</VisuallyHidden>}
      {Array.from({ length: LANDING_EXAMPLES }, (_, index) => (
        <div key={index} aria-hidden className={`panel overflow-hidden ${EXAMPLE_PLACE}`}>
          <div className={`aspect-[4/3] ${tone}`} />
          <div className="grid gap-3 p-5">
            <div className={`h-7 w-2/3 rounded-md ${tone}`} />
            <div className={`h-18 rounded-md ${tone}`} />
            <div className={`h-9 rounded-md ${tone}`} />
          </div>
        </div>
      ))}
    </div>
  );
}
