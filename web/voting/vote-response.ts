import type { UserStats, VotingStatus } from '#shared/contract/types.ts';

/**
 * Responses to votes and polls may overtake each other. The number of votes only grows, so it tells which of
 * two readings is newer, and no number on the page jumps back.
 */
export function newerStats(known: UserStats | undefined, next: UserStats): UserStats {
  return known && known.totalVotes > next.totalVotes ? known : next;
}

/** Like newerStats, for the window of votes: the later window counts, in the same window the reading with more votes. */
export function newerStatus(known: VotingStatus | undefined, next: VotingStatus): VotingStatus {
  if (!known?.periodEndsAt || !next.periodEndsAt) return next;
  if (known.periodEndsAt === next.periodEndsAt) return known.totalVotes > next.totalVotes ? known : next;
  return known.periodEndsAt > next.periodEndsAt ? known : next;
}

export type LimitPhase = 'open' | 'limited' | 'resetting';

/** 'limited' with no votes left until the period ends; then 'resetting' until a fresh status says otherwise (S2.16). */
export function limitPhase(status: VotingStatus | undefined, nowMs: number): LimitPhase {
  if (!status || status.votesRemaining > 0) return 'open';
  if (status.periodEndsAt === null) return 'open';
  return Date.parse(status.periodEndsAt) > nowMs ? 'limited' : 'resetting';
}

/** '5h 59m 07s', '59m 07s', '7s' until a time; 'Resetting...' once it has passed (S2.16). */
export function countdown(endsAtMs: number, nowMs: number): string {
  const totalS = Math.ceil((endsAtMs - nowMs) / 1000);
  if (totalS <= 0) return 'Resetting...';
  const hours = Math.floor(totalS / 3600);
  const minutes = Math.floor(totalS / 60) % 60;
  const seconds = totalS % 60;
  const two = (n: number) => String(n).padStart(2, '0');
  if (hours > 0) return `${hours}h ${two(minutes)}m ${two(seconds)}s`;
  return minutes > 0 ? `${minutes}m ${two(seconds)}s` : `${seconds}s`;
}
