import { useEffect, useState, type ReactNode } from 'react';
import { ApiError, AWAY } from '../../lib/api-error.ts';
import { reload } from '../../lib/chunks.ts';
import { Button } from '../../ui/button.tsx';
import { Boundary } from './boundary.tsx';

/** A reload, as after an upgrade of the server the chunks have other names; but never into the browser's own error page. */
function PageFailure({ error }: { error: unknown }) {
  const [isOffline, setOffline] = useState(error instanceof ApiError && error.status === 0);
  const [isTrying, setTrying] = useState(false);
  const tryAgain = () => {
    setTrying(true);
    fetch('/', { method: 'HEAD', cache: 'no-store' }).then(reload, () => {
      setOffline(true);
      setTrying(false);
    });
  };
  useEffect(() => {
    if (isOffline) addEventListener('online', tryAgain);
    return () => removeEventListener('online', tryAgain);
  });
  return (
    <div role="alert" className="page grid justify-items-center gap-4 py-20 text-center">
      <p className="display text-2xl">This page could not be shown</p>
      {isOffline ? <p>{AWAY}</p> : null}
      <Button variant="secondary" busy={isTrying ? 'Trying again…' : false} onClick={tryAgain}>
        Try again
      </Button>
    </div>
  );
}

export const PageBoundary = ({ children }: { children: ReactNode }) => (
  <Boundary renderFailure={(_, error) => <PageFailure error={error} />}>{children}</Boundary>
);
