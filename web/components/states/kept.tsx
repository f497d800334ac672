import { useState, type ReactNode } from 'react';
import { useIsLive } from '../../lib/external-store.ts';

/** For hydration: the elements that the server drew stay. */
const AS_DRAWN = { __html: '' };

interface KeptProps {
  children: ReactNode;
  className?: string;
}

/**
 * A part that never changes. Where the server drew it, its HTML stays as it is, without hydration and without the code of
 * `children`; after-start.ts follows its links.
 */
export function Kept({ children, className }: KeptProps) {
  const isLive = useIsLive();
  const [isKept] = useState(() => !isLive && typeof document !== 'undefined');
  if (!isKept)
    return (
      <div data-kept className={className}>
        {children}
      </div>
    );
  return <div data-kept className={className} suppressHydrationWarning dangerouslySetInnerHTML={AS_DRAWN} />;
}
