import { PROJECT_READS, queryClient } from '../lib/queries.ts';

const TOUCHED = [
  ...PROJECT_READS,
  ['listWalletProjects'],
  ['projectLeaderboard'],
  ['searchProjects'],
  ['findListed'],
  ['listPayments'],
  ['listActivity'],
];

export function refreshAfterOrder(): void {
  for (const queryKey of TOUCHED) void queryClient.invalidateQueries({ queryKey });
}
