import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { CONGRATULATION_TOKENS, VOTE_REWARD_TOKENS, VOTE_WINDOW_MS } from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { toUserStats, toVotingStatus } from '../users/queries.ts';
import type { Services, Vote, VoteOutcome } from '../services.ts';
import { REJECTIONS } from './outcomes.ts';

function windowEnd({ windowStartedAt }: VoteOutcome): Date | null {
  return windowStartedAt && new Date(windowStartedAt.getTime() + VOTE_WINDOW_MS);
}

/** Whole seconds until the window of the voter ends, one at least. */
function waitSeconds(outcome: VoteOutcome): number {
  const waitMs = (windowEnd(outcome)?.getTime() ?? Date.now()) - Date.now();
  return Math.max(1, Math.ceil(waitMs / 1000));
}

/**
 * Whether the user had earned that many before: undone votes took the total below it again. Just before each undo the total was
 * that of now without the votes since, and with what was undone from then on. Asked for the one vote that passes the number.
 */
async function hadEarned(db: Db, userId: number, tokens: number, { tokensEarned }: VoteOutcome): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM undone_votes u WHERE u.user_id = ${userId} AND ${tokensEarned} + (
        SELECT coalesce(sum(w.tokens), 0) FROM undone_votes w WHERE w.user_id = u.user_id AND w.created_at < u.undone_at AND w.undone_at >= u.undone_at
      ) - (SELECT coalesce(sum(v.tokens), 0) FROM votes v WHERE v.user_id = u.user_id AND v.created_at >= u.undone_at) >= ${tokens}
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Casts a vote that came from `address`, and describes what it changed; throws the rejection that R7 and R8 name. */
export async function castVote(
  { votes: engine, cache, db, networks }: Pick<Services, 'votes' | 'cache' | 'db' | 'networks'>,
  vote: Vote,
  address: string | undefined,
): Promise<ResponseOf<typeof votes.castVote>> {
  const outcome = await engine.castVote(vote);
  if (outcome.decided !== 'counted') throw REJECTIONS[outcome.decided](waitSeconds(outcome));
  // The voter's next poll of this server must not be older than this response; the other servers learn of it by notification.
  cache.invalidate(`u:${vote.userId}`);
  networks.note(vote.userId, address);
  const passed =
    outcome.tokensEarned >= CONGRATULATION_TOKENS && outcome.tokensEarned - VOTE_REWARD_TOKENS < CONGRATULATION_TOKENS;
  const isFirst = passed && !(await hadEarned(db, vote.userId, CONGRATULATION_TOKENS, outcome));
  return {
    userStats: toUserStats(outcome),
    votingStatus: toVotingStatus(outcome.windowVotes, windowEnd(outcome)),
    tokensEarned: VOTE_REWARD_TOKENS,
    congratulation: isFirst ? CONGRATULATION_TOKENS : null,
  };
}
