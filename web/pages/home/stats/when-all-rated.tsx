import { useQuery } from '@tanstack/react-query';
import { useStore } from '../../../lib/external-store.ts';
import { queries } from '../../../lib/queries.ts';
import { DayResults } from '../daily/day-results.tsx';
import { deck } from '../deck/vote.ts';

export function WhenAllRated({ userId }: { userId: number }) {
  const { data: daily } = useQuery(queries.dailyDeck(userId));
  const { loaded, queue } = useStore(deck);
  if (!daily || !loaded || queue.length > 0) return null;
  return <DayResults cards={daily.cards} className="mt-3 text-sm" />;
}
