import type { ReactNode } from 'react';

export function Gate({ children }: { children: ReactNode }) {
  return (
    <div className="page grid min-h-[60dvh] place-items-center py-12">
      <div className="panel w-full max-w-md p-6 sm:p-8">{children}</div>
    </div>
  );
}
