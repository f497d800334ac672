import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Missing } from '#shared/contract/withdrawals.ts';
import { LASTING_DAYS } from '#shared/figures/cost-to-change.ts';
import { EXCLUDED_STATES, STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import type { Config } from '#server/kit/config.ts';
import { standingVotes } from '#server/books/opinions.ts';
import { walletStanding } from '#server/figures/standing/risk.ts';
import { siteDays } from '#server/figures/standing/site-days.ts';
import { isPaused } from '../withdrawals/queries.ts';

const SPENT_DAYS = 30;
/** The books are checked once a day. */
const CHECKED_HOURS = 30;

type Settings = Pick<Config, 'payoutAutoMaxSnaps' | 'standingMinDays'>;

interface Ruling {
  missing: Missing[];
  spent: number;
}

export async function areBooksInOrder(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isFine: boolean }>`
    SELECT differences = 0 AND checked_at > now() - make_interval(hours => ${CHECKED_HOURS}) AS "isFine"
    FROM invariant_runs ORDER BY checked_at DESC LIMIT 1`.execute(db);
  return rows[0]?.isFine ?? false;
}

interface Evidence {
  hasStanding: boolean;
  heldLongEnough: boolean;
  hasExcluded: boolean;
  spent: number;
}

/** A wallet that signed in a few days ago has no standing for the rule, whatever it holds. */
export const hasStanding = ({ standingMinDays }: Pick<Config, 'standingMinDays'>) =>
  sql<boolean>`(${walletStanding(sql`u.id`)} = 'standing' AND u.created_at <= now() - make_interval(days => ${standingMinDays}))`;

/** One coin must not earn payouts for several wallets in turn. */
const heldLongEnough = sql<boolean>`EXISTS (SELECT FROM voter_standing s CROSS JOIN LATERAL ${siteDays(STANDING_VOTER_DAYS)} d
  WHERE s.user_id = u.id AND d.held >= ${sql.lit(LASTING_DAYS)})`;

const hasExcluded = sql<boolean>`EXISTS (SELECT FROM ${standingVotes(sql`u.id`)} v
  WHERE v.state = ANY (${[...EXCLUDED_STATES]}::vote_state[]))`;

export const hasEvidence = (settings: Pick<Config, 'standingMinDays'>) =>
  sql<boolean>`(${hasStanding(settings)} AND ${heldLongEnough} AND NOT ${hasExcluded})`;

async function findEvidence(db: Db, settings: Settings, userId: number): Promise<Evidence> {
  const { rows } = await sql<Evidence>`
    SELECT ${hasStanding(settings)} AS "hasStanding", ${heldLongEnough} AS "heldLongEnough", ${hasExcluded} AS "hasExcluded",
      coalesce((SELECT sum(w.token_amount) FROM withdrawals w WHERE w.user_id = u.id AND w.state <> 'rejected'
        AND w.auto_approved_at > now() - make_interval(days => ${SPENT_DAYS})), 0)::bigint AS spent
    FROM users u WHERE u.id = ${userId} AND u.deleted_at IS NULL`.execute(db);
  return rows[0] ?? { hasStanding: false, heldLongEnough: false, hasExcluded: false, spent: 0 };
}

/**
 * Reasons why the rule does not approve (R79). With `lock`, under the lock of the balance, the result is valid until
 * the transaction ends.
 */
export async function applyRule(
  db: Db,
  settings: Settings,
  { userId, tokenAmount }: { userId: number; tokenAmount: number },
  { lock = false } = {},
): Promise<Ruling> {
  const paused = await isPaused(db, { lock });
  const books = await areBooksInOrder(db);
  const evidence = await findEvidence(db, settings, userId);
  const { spent } = evidence;
  const missing: Array<[isMissing: boolean, what: Missing]> = [
    [!evidence.hasStanding, 'standing'],
    [!evidence.heldLongEnough, 'days_held'],
    [evidence.hasExcluded, 'excluded_votes'],
    [spent + tokenAmount > (settings.payoutAutoMaxSnaps ?? 0), 'limit'],
    [paused, 'paused'],
    [!books, 'books'],
  ];
  return { missing: missing.flatMap(([isMissing, what]) => (isMissing ? [what] : [])), spent };
}
