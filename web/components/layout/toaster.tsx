import { Suspense, useEffect } from 'react';
import { TOAST_DURATION_MS } from '#shared/constants.ts';
import { useStore } from '../../lib/external-store.ts';
import type { Loadable } from '../../lib/loadable.tsx';
import { dismissToast, toasts, type ToastEntry } from '../../lib/toast.ts';
import { Boundary } from '../states/boundary.tsx';

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

interface ToasterProps {
  viewport: Loadable<{ entries: readonly ToastEntry[] }>;
}

export function Toaster({ viewport }: ToasterProps) {
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
