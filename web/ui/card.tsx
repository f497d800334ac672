import type { ComponentProps, ReactNode } from 'react';
import { cn } from './class-names.ts';

/** A part of a page under a hairline. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={cn('min-w-0 border-t border-line pt-5', className)} {...rest} />;
}

export function CardTitle({ id, aside, children }: { id?: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <header className="mb-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <h2 id={id} className="min-w-0 text-lg">
        {children}
      </h2>
      {aside}
    </header>
  );
}
