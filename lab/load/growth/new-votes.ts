import { sql } from 'kysely';
import { CHANGE_WINDOW_HOURS, CHANGES_PER_WINDOW } from '#shared/constants.ts';
import { hashToken } from '#server/kit/http/session.ts';
import type { Services } from '#server/kit/services.ts';
import { tokenOf } from '../people.ts';
import { DUE_VOTES, projectOf, type Size } from './plant.ts';

/** Votes at a time: the engine has a bounded queue. */
const AT_ONCE = 500;
const CHANGES = 1_000;
const UNDONE = 200;
const NETWORKS = 4_000;

export const newVotesOf = ({ users }: Size): number => Math.min(DUE_VOTES, users);

/** For some users a renewed listing that they voted on before, else a project without a vote of the user. */
function targetOf(userId: number, { votesEach }: Size): number {
  const first = projectOf(userId, 0);
  return userId % 10 !== 0 && first % 3 === 0 && userId % 4 === 0 ? first : projectOf(userId, votesEach);
}

/** Casts the same number of votes at every size by the vote path, changes some older ones and undoes some new ones. */
export async function castNewVotes({ votes, db }: Services, size: Size): Promise<void> {
  const count = newVotesOf(size);
  const ofUser = (userId: number) => ({
    userId,
    tokenHash: hashToken(tokenOf(userId)),
    projectId: targetOf(userId, size),
    bullish: userId % 3 > 0,
  });
  for (let from = 1; from <= count; from += AT_ONCE) {
    const users = Array.from({ length: Math.min(AT_ONCE, count - from + 1) }, (_, i) => from + i);
    const outcomes = await Promise.all(users.map((userId) => votes.castVote(ofUser(userId))));
    const refused = outcomes.find(({ decided }) => decided !== 'counted');
    if (refused) throw new Error(`A new vote was refused: ${refused.decided}`);
  }
  const { rows } = await sql<{ changed: number }>`
    SELECT count(*) FILTER (WHERE outcome IN ('changed', 'confirmed'))::int AS changed FROM (
      SELECT change_vote(v.user_id, v.project_id, v.user_id % 2 = 0, ${CHANGES_PER_WINDOW}, ${CHANGE_WINDOW_HOURS} * interval '1 hour', interval '0') AS outcome
      FROM (
        SELECT user_id, project_id FROM votes WHERE user_id > ${Math.floor(count / 2)} AND project_id % 3 > 0
          AND created_at < now() - interval '40 days' ORDER BY user_id, project_id LIMIT ${Math.min(CHANGES, count / 4)}
      ) v
    ) c`.execute(db);
  if (!rows[0]?.changed) throw new Error('No vote could be changed.');
  await sql`SELECT undo_vote(v.user_id, v.project_id, interval '1 hour') FROM (
    SELECT user_id, project_id FROM votes WHERE user_id <= ${Math.min(UNDONE, Math.floor(count / 4))} AND created_at > now() - interval '1 hour') v`.execute(
    db,
  );
  await sql`INSERT INTO voter_networks (day, network, user_id)
    SELECT (now() AT TIME ZONE 'UTC')::date - 1, substr(sha256(int8send(i % ${NETWORKS})), 1, 16), i FROM generate_series(1, ${count}) i`.execute(
    db,
  );
}
