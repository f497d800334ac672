import type { ComponentProps, ReactNode } from 'react';
import { cn } from './class-names.ts';

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={cn('panel p-5 sm:p-6', className)} {...rest} />;
}

export function CardTitle({
  id,
  icon,
  aside,
  children,
}: {
  id?: string;
  icon?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <header className="mb-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <h2 id={id} className="flex min-w-0 items-center gap-2 text-lg [&>svg]:shrink-0">
        {icon}
        {children}
      </h2>
      {aside}
    </header>
  );
}
