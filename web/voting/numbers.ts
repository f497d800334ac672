import type { Project, UserStats, VotingStatus } from '#shared/contract/types.ts';
import { queries, queryClient, refreshAfterVote } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import type { VoteType } from './vote-type.ts';
import { newerStats, newerStatus } from './vote-response.ts';

interface Numbers {
  userStats: UserStats;
  votingStatus: VotingStatus;
}

/** Shows the numbers of a vote's response at once. Returns the streak in days where the vote has lengthened it, else null. */
export function showNumbers(userId: number, { userStats, votingStatus }: Numbers): number | null {
  const before = queryClient.getQueryData(queries.stats(userId).queryKey)?.currentStreak;
  const stats = queryClient.setWritten(queries.stats(userId).queryKey, (known) => newerStats(known, userStats));
  if (stats) session.updateStats(userId, stats);
  queryClient.setWritten(queries.votingStatus(userId).queryKey, (known) => newerStatus(known, votingStatus));
  return before !== undefined && userStats.currentStreak > before ? userStats.currentStreak : null;
}

interface UndoneVote {
  userId: number;
  project: Project;
  changes?: VoteType;
}

/** Like showNumbers, after an undo: fewer votes are the newer reading. */
export function showUndone(vote: UndoneVote, { userStats, votingStatus }: Numbers): void {
  const { userId, project, changes } = vote;
  const { queryKey: feedKey } = queries.feed(userId);
  if (changes === undefined) {
    queryClient.setWritten(
      feedKey,
      (known) => known && { ...known, projects: [project, ...known.projects.filter(({ id }) => id !== project.id)] },
    );
  }
  queryClient.setWritten(queries.stats(userId).queryKey, userStats);
  session.updateStats(userId, userStats);
  queryClient.setWritten(queries.votingStatus(userId).queryKey, votingStatus);
}

export function noteLimit(userId: number, retryAfterS: number | null): void {
  if (retryAfterS === null) return;
  const periodEndsAt = new Date(serverNow() + retryAfterS * 1000).toISOString();
  queryClient.setQueryData(
    queries.votingStatus(userId).queryKey,
    (known): VotingStatus | undefined =>
      known && { ...known, votesRemaining: 0, totalVotes: known.totalVotesAllowed, periodEndsAt },
  );
}

const REFRESH_DELAY_MS = 400;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;

export function refreshSoon(userId: number): void {
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(() => void refreshAfterVote(userId), REFRESH_DELAY_MS);
}
