import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import { useIsLive, useStore, createStore } from '../../../lib/external-store.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { lastVote } from '../../../voting/last-vote.ts';
import { deck } from '../deck/vote.ts';
import { dailyProgress, type DailyProgress } from './daily.ts';
import { PRODUCT } from '#shared/constants.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';

const KEY = `${PRODUCT}_daily_seen`;

/** The user and the day whose summary was closed last; empty on the server and until it is known. */
const seen = createStore(typeof window === 'undefined' ? '' : (readStored(KEY) ?? ''));

export interface Daily extends DailyProgress {
  data: DailyDeck | undefined;
  isSummaryOpen: boolean;
  close: () => void;
}

const NOTHING = { cards: [] };

export function useDaily(userId: number): Daily {
  const { data } = useQuery(queries.dailyDeck(userId));
  const cards = useStore(deck);
  const progress = dailyProgress(data ?? NOTHING, cards);
  const day = data?.day ?? '';
  const name = `${userId}:${day}`;
  const isSeen = useStore(seen) === name;
  const isLive = useIsLive();
  const { isOver } = progress;
  // The results of the day's votes, as they are at its end; that of the last one when its undo is over (R59).
  const isLastKnown = useStore(lastVote)?.result !== null;
  const moment = isOver && day !== '' ? `${day}, ${isLastKnown ? 'all results' : 'the last one hidden'}` : '';
  useEffect(() => {
    if (moment !== '') void queryClient.invalidateQueries({ queryKey: queries.dailyDeck(userId).queryKey });
  }, [moment, userId]);
  return {
    ...progress,
    data,
    isSummaryOpen: isLive && isOver && cards.queue.length > 0 && progress.spots.includes('voted') && !isSeen,
    close() {
      seen.set(name);
      writeStored(KEY, name);
    },
  };
}
