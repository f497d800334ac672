import { type ReactNode, useEffect, useRef, useState } from 'react';

interface LateFoldProps {
  summary: ReactNode;
  summaryClass?: string;
  className?: string;
  children: ReactNode;
}

/** A fold whose content is drawn once it is open, also where it was opened before the code had come (R87). */
export function LateFold({
  summary,
  summaryClass = 'inline-flex min-h-11 items-center text-link underline underline-offset-4',
  className,
  children,
}: LateFoldProps) {
  const [isOpen, setOpen] = useState(false);
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => setOpen(fold.current?.open ?? false), []);
  return (
    <details ref={fold} className={className} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={summaryClass}>{summary}</summary>
      {isOpen ? children : null}
    </details>
  );
}
