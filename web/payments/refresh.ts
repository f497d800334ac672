import { queryClient } from '../lib/queries.ts';

const TOUCHED = [
  ['/api/projects'],
  ['/api/projects/wallet'],
  ['/api/projects/leaderboard/all'],
  ['/api/v1/projects'],
  ['/api/v1/listed'],
  ['/api/payments'],
  ['/api/users/activity'],
];

export function refreshAfterOrder(): void {
  for (const queryKey of TOUCHED) void queryClient.invalidateQueries({ queryKey });
}
