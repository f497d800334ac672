import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

interface FoldProps {
  id: string;
  title: ReactNode;
  children: ReactNode;
  className?: string;
}

export function Fold({ id, title, children, className }: FoldProps) {
  return (
    <section aria-labelledby={id} className={cn('border-t border-line', className)}>
      <details className="group">
        <summary className="flex min-h-14 cursor-pointer list-none items-center gap-2 py-3 [&::-webkit-details-marker]:hidden">
          <h2 id={id} className="min-w-0 text-lg">
            {title}
          </h2>
          <ChevronDown
            aria-hidden
            size={20}
            className="ms-auto shrink-0 text-faint transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="pt-1 pb-5">{children}</div>
      </details>
    </section>
  );
}
