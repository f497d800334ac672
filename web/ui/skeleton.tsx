import { cn } from './class-names.ts';

/** A placeholder of the size of what will come. Hidden from assistive technology: say 'Loading …' beside it. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('shimmer block rounded-md', className)} />;
}
