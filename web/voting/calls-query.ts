import { queryOptions } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { session } from '../lib/session.ts';

/** Its key begins like that of the user's votes, so that a vote refreshes it. */
export const callsQuery = (userId: number) =>
  queryOptions({
    meta: { isOwn: true },
    enabled: session.get().status !== 'ended',
    queryKey: ['/api/users/votes', userId, 'calls'],
    queryFn: async ({ signal }) => {
      try {
        return await api.getCalls({ params: { id: userId }, signal });
      } catch (cause) {
        throw new Error('Failed to fetch your calls', { cause });
      }
    },
  });

export const CALLS_HASH = '#calls';
