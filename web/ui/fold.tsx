import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

interface FoldProps {
  id: string;
  title: ReactNode;
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}

export function Fold({ id, title, icon, children, className }: FoldProps) {
  return (
    <section aria-labelledby={id} className={cn('panel', className)}>
      <details className="group">
        <summary className="flex min-h-14 cursor-pointer list-none items-center gap-2 rounded-[inherit] px-5 py-3 sm:px-6 [&::-webkit-details-marker]:hidden">
          {icon}
          <h2 id={id} className="min-w-0 text-lg">
            {title}
          </h2>
          <ChevronDown
            aria-hidden
            size={20}
            className="ms-auto shrink-0 text-faint transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="px-5 pt-1 pb-5 sm:px-6 sm:pb-6">{children}</div>
      </details>
    </section>
  );
}
