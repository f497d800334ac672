import type { castVote } from '#shared/contract/votes.ts';
import { ApiError, errorText } from '../lib/api-error.ts';
import type { ResponseBody } from '../lib/http.ts';
import type { WaitingVote } from './waiting-votes.ts';

/** What became of a waiting vote once it was sent. */
export type Fate =
  /** It counts; the response says what for. */
  | { kind: 'counted'; response: ResponseBody<typeof castVote> }
  /** An earlier attempt had counted, and its response was lost: there is nothing to celebrate twice. */
  | { kind: 'counted_before' }
  /** It can never count: already voted, expired, own project. The card stays out of the deck. */
  | { kind: 'rejected'; code: string; message: string }
  /** It does not count now: the limit is reached. The card returns. */
  | { kind: 'returned'; code: string; message: string; retryAfterS: number | null }
  /** Nobody knows yet: no network, or a server in trouble. It goes on waiting. */
  | { kind: 'waits'; retryAfterS: number | null }
  | { kind: 'no_session' };

/** Rejections that a retry cannot change (R7). */
const FINAL_CODES = new Set(['already_voted', 'project_expired', 'own_project', 'project_not_found']);
const LIMIT = 'vote_limit';

export const isAlreadyVoted = (error: unknown): boolean => error instanceof ApiError && error.code === 'already_voted';

/** There was no response: the call may have arrived. */
export const isUnreachable = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

/** No response at all, a proxy's page, or a limit by address: the next attempt may succeed. */
function isTemporary({ status, code }: ApiError): boolean {
  return status === 0 || status >= 500 || status === 408 || (status === 429 && code !== LIMIT);
}

/** What a failed call means for its vote. */
export function fateOf(error: unknown): Fate {
  if (!(error instanceof ApiError) || isTemporary(error))
    return { kind: 'waits', retryAfterS: error instanceof ApiError ? error.retryAfterS : null };
  const { status, code, retryAfterS } = error;
  if (status === 401) return { kind: 'no_session' };
  const message = errorText(error, 'Failed to submit vote');
  if (FINAL_CODES.has(code)) return { kind: 'rejected', code, message };
  return { kind: 'returned', code, message, retryAfterS };
}

/** Clocks of server and browser agree within this, see server-clock.ts. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * Whether the own vote that the server has is this very one: sent before, in the same direction, and not older than the first
 * attempt. Any other is one that the user had cast elsewhere.
 */
export function isThisVote(
  { voteType, attemptedAtMs }: Pick<WaitingVote, 'voteType' | 'attemptedAtMs'>,
  own: { voteType: string; createdAt: string } | null,
): boolean {
  if (attemptedAtMs === null || own?.voteType !== voteType) return false;
  return Date.parse(own.createdAt) >= attemptedAtMs - CLOCK_TOLERANCE_MS;
}
