import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { UserStats } from '#shared/contract/types.ts';
import { queries } from '../queries.ts';
import { session, useSession } from '../session.ts';

/** The signed-in user's counters, polled (S9.4); until the first answer those that the session came with. */
export function useStats(userId: number): UserStats | undefined {
  const known = useSession().stats;
  const { data } = useQuery(queries.stats(userId));
  useEffect(() => {
    // The balance in the header is the session's.
    if (data) session.updateStats(data);
  }, [data]);
  return data ?? known ?? undefined;
}
