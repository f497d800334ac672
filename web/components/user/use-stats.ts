import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { UserStats } from '#shared/contract/types.ts';
import { queries } from '../../lib/queries.ts';
import { session, useSession } from '../../lib/session.ts';
import type { ReadFailure } from '../states/read-note.tsx';

interface Stats {
  stats: UserStats | undefined;
  failure: ReadFailure | null;
}

export function useStats(userId: number): Stats {
  const { stats: known, status } = useSession();
  const read = useQuery(queries.stats(userId));
  const { data, error } = read;
  useEffect(() => {
    // The balance in the header is the session's.
    if (data) session.updateStats(userId, data);
  }, [userId, data]);
  const failed = error !== null && status !== 'ended';
  return {
    stats: data ?? known ?? undefined,
    failure: failed ? { error, retry: () => void read.refetch(), isRetrying: read.isFetching } : null,
  };
}
