import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CallSummary } from '#shared/contract/users.ts';
import { createStore, useIsLive, useStore } from '../../../lib/external-store.ts';
import { loadable } from '../../../lib/loadable.tsx';
import { queries } from '../../../lib/queries.ts';
import { closedOnce, type Daily, userDayOf } from './use-daily.ts';

export const returnCard = loadable(async () => (await import('./return-card.tsx')).ReturnCard);

const closed = closedOnce('return');
/** The user and the day whose card was shown: a change of a call counts for the day, and leaves it open. */
const opened = createStore('');

interface Return {
  /** Shown before the first vote of the day, once (R95). */
  calls: CallSummary | undefined;
  close: () => void;
}

export function useReturn(userId: number, { data: deck, done }: Daily): Return {
  const name = userDayOf(userId, deck);
  const isClosed = useStore(closed) === name;
  const wasOpened = useStore(opened) === name;
  const mayShow = useIsLive() && deck !== undefined && (done === 0 || wasOpened) && !isClosed;
  const { data, isStale } = useQuery({ ...queries.calls(userId), ...(mayShow ? {} : { enabled: false }) });
  const [isLoaded, setLoaded] = useState(false);
  // After a change of a call it waits for what is left.
  const hasMoved = mayShow && data !== undefined && !isStale && data.moved > 0;
  useEffect(() => {
    // A chunk that cannot be loaded leaves the card out, and the deck open.
    if (hasMoved)
      returnCard.load().then(
        () => setLoaded(true),
        () => undefined,
      );
  }, [hasMoved]);
  const isShown = hasMoved && isLoaded;
  useEffect(() => {
    if (isShown) opened.set(name);
  }, [isShown, name]);
  return { calls: isShown ? data : undefined, close: () => closed.close(name) };
}
