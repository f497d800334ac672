import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { MAX_ATTEMPTS } from '#server/figures/standing/read-balances.ts';
import {
  STANDING_NEEDED_DAYS as NEEDED_DAYS,
  STANDING_VOTER_DAYS,
  STANDING_WINDOW_DAYS as WINDOW_DAYS,
} from '#shared/states/votes.ts';
import { LAST_DAY } from './clock.ts';
import type { Attack } from './plan.ts';
import { chanceOf } from './random.ts';

// Not an attack: honest wallets whose balances are asked of a node that often does not answer (R38).

export const HONEST_WALLETS = 500;
const FAILING = 0.05;

/** The votes are of day 0, so that their first week has been read by this day. */
const FIRST_DAY = WINDOW_DAYS + 1;
const CHECKED_DAYS = STANDING_VOTER_DAYS;

const isUnanswered = (seed: number, place: number, day: number, reading: number): boolean =>
  Array.from({ length: MAX_ATTEMPTS }, (_, attempt) => attempt).every(
    (attempt) => chanceOf(seed, place, day, reading, attempt, 9) < FAILING,
  );

/** Whose balances the node does not tell at a reading, and who of the others holds: on six of any seven days, no more than the rule asks for. */
export function readByFailingNode(
  { bystanders, field }: Attack,
  day: number,
  reading: 1 | 2,
): { unanswered: number[]; holding: number[] } {
  return {
    unanswered: bystanders.filter((_, place) => isUnanswered(field.seed, place, day, reading)),
    holding: bystanders.filter((_, place) => (place + day) % WINDOW_DAYS < NEEDED_DAYS),
  };
}

/** Adds those who have no standing this evening and, on the last one, those of whom a vote is not verified for good. */
export async function lookAtHonest(db: Db, { bystanders, harmed }: Attack, day: number): Promise<void> {
  const isChecked = day >= FIRST_DAY && day < CHECKED_DAYS;
  if (!isChecked && day !== LAST_DAY) return;
  const { rows } = await (
    isChecked
      ? sql<{
          id: number;
        }>`SELECT u.id FROM unnest(${bystanders}::bigint[]) AS u (id) LEFT JOIN voter_standing s ON s.user_id = u.id
        WHERE s.state IS DISTINCT FROM 'standing'`
      : sql<{
          id: number;
        }>`SELECT DISTINCT user_id AS id FROM vote_states WHERE user_id = ANY (${bystanders}::bigint[]) AND state <> 'verified'`
  ).execute(db);
  for (const { id } of rows) harmed.add(id);
}
