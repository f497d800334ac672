import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { VotingStatus } from '#shared/contract/types.ts';
import type { ReadFailure } from '../components/states/read-note.tsx';
import { queries } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { limitPhase, type LimitPhase } from './vote-response.ts';

export interface VoteAllowance {
  status: VotingStatus | undefined;
  failure: ReadFailure | null;
  phase: LimitPhase;
}

export function useVotingStatus(userId: number, isWanted = true): VoteAllowance {
  const query = queries.votingStatus(userId);
  const read = useQuery({ ...query, enabled: query.enabled && isWanted });
  const { data: status, error, refetch } = read;
  const [, setTick] = useState(0);
  const phase = limitPhase(status, serverNow());
  const endsAt = status?.periodEndsAt ?? null;
  useEffect(() => {
    if (phase !== 'limited' || endsAt === null) return undefined;
    // One timer to the end of the period: then 'resetting', and the next status at once instead of at the next poll.
    const timer = setTimeout(
      () => {
        setTick((tick) => tick + 1);
        void refetch({ cancelRefetch: false });
      },
      Math.max(0, Date.parse(endsAt) - serverNow()) + 250,
    );
    return () => clearTimeout(timer);
  }, [phase, endsAt, refetch]);
  // Read only here: otherwise the start and the end of every poll would draw the deck again.
  const isRetrying = error !== null && read.isFetching;
  return useMemo(() => {
    const failure = error && { error, retry: () => void refetch(), isRetrying };
    return { status, failure, phase };
  }, [status, phase, error, isRetrying, refetch]);
}
