import { lazy, Suspense } from 'react';
import { useStore } from '../external-store.ts';
import { toasts } from '../toast.ts';

const ToastViewport = lazy(() => import('./toast-viewport.tsx').then((module) => ({ default: module.ToastViewport })));

/** The place of toasts; costs nothing before the first one. */
export function Toaster() {
  const entries = useStore(toasts);
  if (entries.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ToastViewport entries={entries} />
    </Suspense>
  );
}
