import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { CLOSE_MIN_VOTES, NEW_PROJECT_DAYS } from '#shared/voting/daily-deck.ts';
import type { IdentityField } from '#shared/listings/identity.ts';
import { newestOpinions, opinionsGiven, votesOf, undoableUntil } from '#server/books/opinions.ts';
import type { Services } from '#server/kit/services.ts';
import { reasonBits } from '../votes/own-vote.ts';
import type { AskReason, Candidates, Choice } from './choose.ts';

const POOL_LIMIT = 200;
const EARLIER_LIMIT = 500;
const MOVED_DAYS = 7;
const MOVED_MIN_POINTS = 5;

const presentPeriod = sql<number>`period_at(p.period_starts, now())`;
const isActive = sql<boolean>`p.listed AND p.expires_at > now()`;

type Pools = Pick<Candidates, 'new' | 'close' | 'moved'>;

const shareOf = (counters: string) =>
  sql`${sql.ref(counters)}.bullish * 100.0 / (${sql.ref(counters)}.bullish + ${sql.ref(counters)}.bearish)`;

const moved = sql`SELECT p.id::int FROM projects p JOIN verified_stats s ON s.project_id = p.id
  CROSS JOIN LATERAL (
    SELECT coalesce(d.verified_bullish, 0) AS bullish, coalesce(d.verified_bearish, 0) AS bearish FROM project_days d
    WHERE d.project_id = p.id AND d.day <= (now() AT TIME ZONE 'UTC')::date - ${MOVED_DAYS}::int
    ORDER BY d.day DESC LIMIT 1
  ) was
  WHERE ${isActive} AND s.bullish + s.bearish >= ${CLOSE_MIN_VOTES} AND was.bullish + was.bearish > 0
    AND p.id IN (SELECT recent.project_id FROM project_days recent
      WHERE recent.day > (now() AT TIME ZONE 'UTC')::date - ${MOVED_DAYS}::int)
    AND abs(${shareOf('s')} - ${shareOf('was')}) >= ${MOVED_MIN_POINTS}
  ORDER BY abs(${shareOf('s')} - ${shareOf('was')}) DESC, p.id LIMIT ${POOL_LIMIT}`;

export async function findPools(db: Db): Promise<Pools> {
  const { rows } = await sql<{ fresh: number[]; close: number[]; moved: number[] }>`SELECT
    ARRAY(SELECT p.id::int FROM projects p
      WHERE ${isActive} AND p.created_at > now() - make_interval(days => ${NEW_PROJECT_DAYS})
      ORDER BY p.created_at DESC, p.id DESC LIMIT ${POOL_LIMIT}) AS fresh,
    ARRAY(SELECT p.id::int FROM projects p JOIN verified_stats s ON s.project_id = p.id
      WHERE ${isActive} AND s.bullish + s.bearish >= ${CLOSE_MIN_VOTES}
        AND s.bullish * 100 BETWEEN (s.bullish + s.bearish) * 40 AND (s.bullish + s.bearish) * 60
      ORDER BY abs(s.bullish - s.bearish)::float8 / (s.bullish + s.bearish), p.id LIMIT ${POOL_LIMIT}) AS close,
    ARRAY(${moved}) AS moved`.execute(db);
  return { new: rows[0]?.fresh ?? [], close: rows[0]?.close ?? [], moved: rows[0]?.moved ?? [] };
}

export async function findVotable(db: Db, userId: number, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`SELECT p.id::int AS id FROM projects p
    WHERE p.id = ANY (${[...ids]}::bigint[]) AND ${isActive} AND p.owner_id <> ${userId}
      AND NOT EXISTS (SELECT FROM ${votesOf(userId)} v WHERE v.project_id = p.id AND v.period = ${presentPeriod})
      AND NOT EXISTS (SELECT FROM user_stats u WHERE u.user_id = ${userId}
        AND is_barred(u.barred_projects, u.barred_periods, p.id, ${presentPeriod}))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export interface EarlierVote {
  projectId: number;
  bullish: boolean;
}

export async function findEarlierVotes(db: Db, userId: number): Promise<EarlierVote[]> {
  const { rows } = await sql<EarlierVote>`SELECT newest.project_id AS "projectId", newest.bullish
    FROM ${newestOpinions(userId)} newest
    JOIN projects p ON p.id = newest.project_id
    WHERE ${isActive} AND p.owner_id <> ${userId} AND newest.period < ${presentPeriod}
    ORDER BY newest.said_at DESC, newest.project_id LIMIT ${EARLIER_LIMIT}`.execute(db);
  return rows;
}

export interface OwnVote {
  projectId: number;
  /** True if the vote is not verified though its voter has standing: saying it again makes it count (R38). */
  isUnverified: boolean;
  /** Last said more than a week ago (R61). */
  isOld: boolean;
  /** Last said before a change of identity (R60). */
  isOfEarlierIdentity: boolean;
  /** Reasons used in this listing period. */
  asked: AskReason[];
}

/** Votes of before today that can be confirmed or changed, the oldest opinion first. */
export async function findOwnVotes(db: Db, userId: number): Promise<OwnVote[]> {
  const { rows } = await sql<OwnVote>`SELECT newest.project_id AS "projectId",
      EXISTS (SELECT FROM voter_standing w WHERE w.user_id = ${userId} AND w.state = 'standing' AND NOT w.verified_days @> (newest.said_at AT TIME ZONE 'UTC')::date)
        AND NOT EXISTS (SELECT FROM votes_set_aside a
          WHERE a.user_id = ${userId} AND a.project_id = newest.project_id AND a.period = newest.period) AS "isUnverified",
      newest.said_at < now() - interval '7 days' AS "isOld",
      EXISTS (SELECT FROM open_identity_changes i WHERE i.project_id = p.id AND i.changed_at > newest.said_at) AS "isOfEarlierIdentity",
      ARRAY(SELECT a.reason FROM asked_again a
        WHERE a.user_id = ${userId} AND a.project_id = newest.project_id AND a.period = newest.period) AS asked
    FROM ${newestOpinions(userId)} newest
    JOIN projects p ON p.id = newest.project_id
    WHERE ${isActive} AND p.owner_id <> ${userId} AND newest.period = ${presentPeriod}
      AND newest.said_at < date_trunc('day', now(), 'UTC')
    ORDER BY newest.said_at, newest.project_id LIMIT ${EARLIER_LIMIT}`.execute(db);
  return rows;
}

interface StoredDeck {
  dayNumber: number;
  day: string;
  choices: Choice[] | null;
}

export async function findStoredDeck(db: Db, userId: number): Promise<StoredDeck> {
  const { rows } = await sql<{ dayNumber: number; day: string; ids: number[] | null; kinds: Choice['kind'][] | null }>`
    SELECT today.day - date '1970-01-01' AS "dayNumber", to_char(today.day, 'YYYY-MM-DD') AS day,
      d.project_ids AS ids, d.kinds
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS day) today
    LEFT JOIN daily_decks d ON d.user_id = ${userId} AND d.day = today.day`.execute(db);
  const { dayNumber = 0, day = '', ids = null, kinds = null } = rows[0] ?? {};
  const choices = ids?.map((projectId, at) => ({ projectId, kind: kinds?.[at] ?? 'feed' })) ?? null;
  return { dayNumber, day, choices };
}

/** Stores the deck unless the user has one of this day, with the votes that it brings back. Returns the stored deck. */
export async function storeDeck(db: Db, userId: number, day: string, choices: readonly Choice[]): Promise<Choice[]> {
  const ids = choices.map(({ projectId }) => projectId);
  const kinds = choices.map(({ kind }) => kind);
  const asked = choices.filter(({ reason }) => reason !== undefined);
  await sql`WITH stored AS (
      INSERT INTO daily_decks (user_id, day, project_ids, kinds)
      VALUES (${userId}, ${day}::date, ${ids}::int[], ${kinds}::text[])
      ON CONFLICT (user_id) DO UPDATE SET day = excluded.day, project_ids = excluded.project_ids, kinds = excluded.kinds
      WHERE daily_decks.day < excluded.day RETURNING user_id
    )
    INSERT INTO asked_again (user_id, project_id, period, reason)
    SELECT stored.user_id, a.project_id, ${presentPeriod}, a.reason
    FROM stored CROSS JOIN unnest(${asked.map(({ projectId }) => projectId)}::int[], ${asked.map(({ reason }) => reason)}::text[]) AS a (project_id, reason)
    JOIN projects p ON p.id = a.project_id
    ON CONFLICT DO NOTHING`.execute(db);
  const { choices: stored } = await findStoredDeck(db, userId);
  return stored ?? [...choices];
}

export interface PresentVote {
  bullish: boolean;
  isUndoable: boolean;
  isOfToday: boolean;
  reasons: number;
  /** Parts of the identity that changed since, and the name before the first renaming. */
  changed: IdentityField[];
  oldName: string | null;
}

/** Present votes on these projects, and all of today; the oldest opinion first. */
export async function findPresentVotes(
  { db, undoWindowMs }: Pick<Services, 'db' | 'undoWindowMs'>,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, PresentVote>> {
  const { rows } = await sql<PresentVote & { projectId: number }>`SELECT v.project_id AS "projectId", v.bullish,
      ${undoableUntil(undoWindowMs)} IS NOT NULL AS "isUndoable",
      v.said_at >= date_trunc('day', now(), 'UTC') AS "isOfToday", ${reasonBits} AS reasons,
      ARRAY(SELECT DISTINCT unnest(i.what) FROM open_identity_changes i WHERE i.project_id = v.project_id AND i.changed_at > v.said_at) AS changed,
      (SELECT i.old_name FROM open_identity_changes i WHERE i.project_id = v.project_id AND i.changed_at > v.said_at AND 'name' = ANY (i.what)
        ORDER BY i.identity LIMIT 1) AS "oldName"
    FROM ${newestOpinions(userId)} v JOIN projects p ON p.id = v.project_id LEFT JOIN user_stats u ON u.user_id = ${userId}
    WHERE v.project_id = ANY (${[...ids]}::int[] || ARRAY(SELECT project_id
      FROM ${opinionsGiven((at) => sql`${at} >= date_trunc('day', now(), 'UTC')`)} o WHERE user_id = ${userId})) AND v.period = ${presentPeriod}
    ORDER BY v.said_at, v.project_id`.execute(db);
  return new Map(rows.map(({ projectId, ...vote }) => [projectId, vote]));
}
