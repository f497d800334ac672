import { Suspense, useEffect } from 'react';
import { TOAST_DURATION_MS } from '#shared/constants.ts';
import { useStore } from '../../lib/external-store.ts';
import { loadable } from '../../lib/loadable.tsx';
import { dismissToast, toasts, type ToastEntry } from '../../lib/toast.ts';
import { Boundary } from '../states/boundary.tsx';

const viewport = loadable(
  async () => (await import('../../later.ts')).loadToastViewport(),
  (chunk) => chunk,
);

/** Fetches what draws toasts. A failed load is tried again with the next toast. */
export const preloadToasts = (): Promise<unknown> => viewport.load().catch(() => undefined);

function PlainToast({ entry: { id, open, title, description } }: { entry: ToastEntry }) {
  useEffect(() => {
    const timer = setTimeout(() => dismissToast(id), TOAST_DURATION_MS);
    return () => clearTimeout(timer);
  }, [id]);
  if (!open) return null;
  return (
    <div role="alert" className="panel fixed inset-x-4 top-32 z-60 mx-auto max-w-[26rem] p-4">
      <b>{title}</b>
      <p>{description}</p>
    </div>
  );
}

export function Toaster() {
  const entries = useStore(toasts);
  const [entry] = entries;
  if (!entry) return null;
  const plain = <PlainToast key={entry.id} entry={entry} />;
  return (
    <Boundary occasion={entry.id} onRetry={viewport.retry} renderFailure={() => plain}>
      <Suspense fallback={plain}>
        <viewport.Part entries={entries} />
      </Suspense>
    </Boundary>
  );
}
