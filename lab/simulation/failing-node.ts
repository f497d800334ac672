import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { MAX_ATTEMPTS } from '#server/figures/standing/read-balances.ts';
import { STANDING_NEEDED_DAYS as NEEDED_DAYS, STANDING_WINDOW_DAYS as WINDOW_DAYS } from '#shared/states/votes.ts';
import { castVotes, signIn } from './cast.ts';
import { at } from './clock.ts';
import type { Field } from './field.ts';
import { chanceOf } from './random.ts';

// Plays no attack: a node that often does not respond is asked for the balances of honest wallets (R38).

export const BYSTANDERS = 500;
const VOTES = 5;
const FAILING = 0.05;

/** Bystanders vote on the first day. Their votes are not part of the board that attacks meet. */
export async function inviteBystanders(db: Db, { others }: Field): Promise<number[]> {
  const ids = await signIn(db, BYSTANDERS, at(0, 1));
  await sql`INSERT INTO simulation.attackers (attack, place, user_id) SELECT -1, 0, unnest(${ids}::bigint[])`.execute(
    db,
  );
  const votesOf = (userId: number) =>
    others.slice(0, VOTES).map((projectId, index) => ({ userId, projectId, bullish: true, at: at(0, 9 + index) }));
  await castVotes(db, ids.flatMap(votesOf));
  return ids;
}

const isUnanswered = (seed: number, place: number, day: number, reading: number): boolean =>
  Array.from({ length: MAX_ATTEMPTS }, (_, attempt) => attempt).every(
    (attempt) => chanceOf(seed, place, day, reading, attempt, 9) < FAILING,
  );

/** Wallets that the node returns no balance for at a reading, and those that hold: on six of any seven days, as few as the rule allows. */
export const readByFailingNode = (ids: readonly number[], seed: number, day: number, reading: 1 | 2) => ({
  unanswered: ids.filter((_, place) => isUnanswered(seed, place, day, reading)),
  holding: ids.filter((_, place) => (place + day) % WINDOW_DAYS < NEEDED_DAYS),
});

/** Those wallets that have a vote that is not verified. */
export async function harmedOf(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT user_id AS id FROM vote_states WHERE user_id = ANY (${[...ids]}::bigint[]) AND state <> 'verified'`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
