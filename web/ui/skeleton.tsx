import { cn } from './class-names.ts';

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('shimmer block rounded-md', className)} />;
}
