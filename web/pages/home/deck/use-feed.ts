import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { FEED_LIMIT, STACK_CARDS } from '#shared/constants.ts';
import { imageSrcSet } from '../../../components/project/project-image.tsx';
import { useStore } from '../../../lib/external-store.ts';
import { growFeed, queries } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toast.ts';
import { readWaiting } from '../../../offline/waiting-votes.ts';
import type { Deck } from '../../../deck/deck.ts';
import { CARD_IMAGE_SIZES } from '../../../deck/project-card.tsx';
import { useLater } from '../../../deck/use-later.ts';
import { deck, openDeck, takeFeed } from './vote.ts';

const IMAGES_AHEAD = 3;
const REFILL_BELOW = 6;

const isLow = ({ queue, skippedIds }: Deck) => queue.length - skippedIds.size < REFILL_BELOW;

/** Cards that were fetched before a user voted on all of them; the server refills the feed as votes thin it out (R11). */
export function useFeed(userId: number) {
  const feed = useQuery(queries.feed(userId));
  const daily = useQuery(queries.dailyDeck(userId));
  const [isLoadingNew, setLoadingNew] = useState(false);
  const state = useStore(deck);
  const isDailyKnown = daily.data !== undefined || daily.isError;

  useLayoutEffect(() => {
    openDeck(userId);
    // Together, so that no card is dealt and then another one put on it.
    if (feed.data && isDailyKnown) takeFeed(userId, feed.data, daily.data);
    // Not before the server's HTML is taken over, which knows nothing of votes that wait here.
    readWaiting(userId);
  }, [userId, feed.data, isDailyKnown, daily.data]);

  const { data, isFetching, isError, refetch } = feed;
  const isFull = data !== undefined && data.projects.length >= data.limit && data.limit < FEED_LIMIT;
  const looksLow = isLow(state);
  useEffect(() => {
    // The feed of this render may be in the deck by now, so read the deck again.
    if (!isFull || !looksLow || !isLow(deck.get()) || isFetching || isError) return;
    growFeed();
    void refetch();
  }, [isFull, looksLow, isFetching, isError, refetch]);

  const ahead = state.queue.slice(STACK_CARDS, STACK_CARDS + IMAGES_AHEAD);
  const aheadUrls = useLater(ahead.map((project) => project.imageUrl).join(' '), 3);
  useEffect(() => {
    for (const url of aheadUrls.split(' ').filter(Boolean)) {
      const image = new Image();
      image.sizes = CARD_IMAGE_SIZES;
      image.srcset = imageSrcSet(url) ?? '';
      image.src = url;
    }
  }, [aheadUrls]);

  async function loadNew(): Promise<void> {
    setLoadingNew(true);
    const result = await feed.refetch();
    setLoadingNew(false);
    if (result.isError) {
      toast({ title: 'Error', description: result.error.message, variant: 'destructive' });
      return;
    }
    if (result.data) takeFeed(userId, result.data, daily.data);
    const found = deck.get().queue.length;
    toast(found > 0 ? foundToast(found) : NO_NEW);
  }

  return {
    isRefilling: isFull && isFetching,
    error: feed.data || state.loaded ? null : feed.error,
    retry: feed.refetch,
    isRetrying: feed.isFetching,
    isLoadingNew,
    loadNew,
  };
}

const foundToast = (found: number) => ({
  title: 'New projects loaded!',
  description: `Found ${found} new project(s) to vote on.`,
});
const NO_NEW = {
  title: 'No new projects',
  description: "You've already voted on all available projects. Check back later!",
};
