import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import { useIsLive, useStore, createStore } from '../../../lib/external-store.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { lastVote } from '../../../voting/last-vote.ts';
import { deck } from '../deck/vote.ts';
import { type Cast, dailyProgress, type DailyProgress } from './daily.ts';
import { PRODUCT } from '#shared/constants.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';

/** Stores the user and the day for which a card was closed, in all tabs; empty on the server and until it is known. */
export function closedOnce(name: string) {
  const key = `${PRODUCT}_${name}_seen`;
  const isPage = typeof window !== 'undefined';
  const { set, ...store } = createStore(isPage ? (readStored(key) ?? '') : '');
  if (isPage)
    addEventListener('storage', ({ key: changed, newValue }) => {
      if (changed === key) set(newValue ?? '');
    });
  return {
    ...store,
    close(userDay: string) {
      set(userDay);
      writeStored(key, userDay);
    },
  };
}

const summary = closedOnce('daily');

const cast = createStore<Cast>(new Map());
lastVote.subscribe(() => {
  const vote = lastVote.get();
  const known = cast.get();
  if (vote && known.get(vote.project.id)?.id !== vote.id)
    cast.set(new Map([...known].filter(([id]) => id !== vote.project.id)).set(vote.project.id, vote));
});

export const userDayOf = (userId: number, daily: DailyDeck | undefined): string => `${userId}:${daily?.day ?? ''}`;

export interface Daily extends DailyProgress {
  data: DailyDeck | undefined;
  cards: DailyDeck['cards'];
  isSummaryOpen: boolean;
  close: () => void;
}

const NOTHING: Pick<DailyDeck, 'cards'> = { cards: [] };

export function useDaily(userId: number): Daily {
  const { data } = useQuery(queries.dailyDeck(userId));
  const cards = useStore(deck);
  const { cards: ofToday } = data ?? NOTHING;
  const progress = dailyProgress({ cards: ofToday }, cards, useStore(cast));
  const day = data?.day ?? '';
  const name = userDayOf(userId, data);
  const isSeen = useStore(summary) === name;
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
    cards: ofToday,
    isSummaryOpen: isLive && isOver && progress.spots[0]?.state === 'voted' && !isSeen,
    close: () => summary.close(name),
  };
}
