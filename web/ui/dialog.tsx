import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { cn } from './class-names.ts';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Buttons in a footer that never scrolls, so that a screen of any size shows them; null where there is nothing to do. */
  actions: ReactNode;
  focusRef?: RefObject<HTMLElement | null> | undefined;
  className?: string;
  children?: ReactNode;
}

/** Scrolls to an error that appears: the button that caused it is always in sight, its field may not be. */
function useNewErrorInSight(): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null);
  const seen = useRef<Element | null>(null);
  useEffect(() => {
    const error = body.current?.querySelector('[role="alert"]') ?? null;
    if (error !== seen.current) error?.scrollIntoView({ block: 'nearest' });
    seen.current = error;
  });
  return body;
}

/** A sheet at the lower edge on phones. Import it only from chunks that load on demand: it contains the dialog primitives. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  actions,
  focusRef,
  className,
  children,
}: DialogProps) {
  const body = useNewErrorInSight();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          initialFocus={focusRef}
          className={cn(
            'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-2xl border border-line bg-surface shadow-float transition-[transform,opacity] duration-200 ease-out',
            'data-ending-style:translate-y-6 data-ending-style:opacity-0 data-starting-style:translate-y-6 data-starting-style:opacity-0',
            'sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[min(32rem,calc(100vw-3rem))] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl',
            'sm:data-ending-style:-translate-y-[calc(50%-0.75rem)] sm:data-starting-style:-translate-y-[calc(50%-0.75rem)]',
            className,
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-5 pb-1 sm:px-6">
            <Base.Title className="pt-1.5 text-lg">{title}</Base.Title>
            <Base.Close
              aria-label="Close"
              className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted transition-colors hover:bg-raised hover:text-text"
            >
              <X aria-hidden size={22} />
            </Base.Close>
          </header>
          <div ref={body} className="min-h-0 overflow-y-auto overscroll-contain px-5 pb-5 sm:px-6 sm:pb-6">
            {description ? <Base.Description className="pb-3 text-muted">{description}</Base.Description> : null}
            {children}
          </div>
          {actions ? (
            // The last button is the one that counts: where they do not fit side by side it is above the others.
            <footer className="flex flex-wrap-reverse justify-end gap-3 border-t border-line px-5 py-4 pb-[max(1rem,env(safe-area-inset-bottom))] max-[22rem]:*:px-3 sm:px-6">
              {actions}
            </footer>
          ) : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
