import type { ReactNode } from 'react';
import { cn } from '../../ui/class-names.ts';

interface EmptyStateProps {
  icon?: ReactNode;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cn('grid justify-items-center gap-3 px-4 py-8 text-center', className)}>
      {icon ? (
        <span
          aria-hidden
          className="grid size-16 -rotate-6 place-items-center rounded-lg border border-line bg-raised text-link shadow-card"
        >
          {icon}
        </span>
      ) : null}
      {title ? <div className="display text-lg">{title}</div> : null}
      {children ? <p className="max-w-prose text-muted">{children}</p> : null}
      {action}
    </div>
  );
}
