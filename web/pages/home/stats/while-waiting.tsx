import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from '../../../lib/external-store.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { DayResults } from '../daily/day-results.tsx';
import { deck } from '../deck/vote.ts';
import { VotesBackOffer } from './votes-back-offer.tsx';

export function WhileWaiting({ userId }: { userId: number }) {
  const { data: daily } = useQuery(queries.dailyDeck(userId));
  useEffect(() => void queryClient.invalidateQueries({ queryKey: queries.dailyDeck(userId).queryKey }), [userId]);
  return (
    <div data-while-waiting className="mt-3 grid gap-3 text-sm">
      {/* Elsewhere it is below the card. */}
      <div className="grid empty:hidden [@media_(height>=30rem)_and_(width<64rem)]:hidden">
        <VotesBackOffer userId={userId} />
      </div>
      <DayResults cards={daily?.cards ?? []} />
    </div>
  );
}

export function WhenAllRated({ userId }: { userId: number }) {
  const { data: daily } = useQuery(queries.dailyDeck(userId));
  const { loaded, queue } = useStore(deck);
  if (!daily || !loaded || queue.length > 0) return null;
  return <DayResults cards={daily.cards} className="mt-3 text-sm" />;
}
