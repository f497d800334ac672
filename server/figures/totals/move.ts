import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { entriesIn, firstVoteAt, from, opinionsGiven, replacedBy, type Span, within } from '#server/books/opinions.ts';
import { ensureState } from './cursor.ts';
import { endOfSlice, lookUpOneByOne } from './slices.ts';
import { COUNTED_AS, KEY, lookUpOpinion, TALLY, TALLY_COLUMNS, TREND_FROM } from './tally.ts';

/*
 * Moves the totals by what is new when a day is closed (R69, R94): opinions and ledger entries since `totals_state.counted_until`, and opinions
 * whose state has changed (restated_votes). Each slice is a transaction, so that any server continues an interrupted run. The recount reports
 * a total that was changed by hand.
 */

const SLICE = 20_000;
const SERIALIZATION_FAILURE = '40001';

interface State {
  countedUntil: string;
  holdersUntil: string;
  /** Moves of users up to this one also move the recount; 0: no recount is running. */
  recountUser: number;
}

interface Move extends Span {
  recountUser: number;
}

interface OpinionMove extends Move {
  restated: number;
}

const addTo = (rows: RawBuilder<unknown>) => sql`
  added AS (
    INSERT INTO totals AS t (${KEY}, value)
    SELECT ${KEY}, sum(value) FROM ${rows} r GROUP BY ${KEY} HAVING sum(value) <> 0
    ON CONFLICT (${KEY}) DO UPDATE SET value = t.value + excluded.value
  ), recounted AS (
    INSERT INTO recounted_totals AS t (${KEY}, counted)
    SELECT ${KEY}, sum(value) FROM ${rows} r WHERE is_recounted GROUP BY ${KEY} HAVING sum(value) <> 0
    ON CONFLICT (${KEY}) DO UPDATE SET counted = t.counted + excluded.counted
  )`;

async function moveOpinions(trx: Db, { since, until, recountUser, restated }: OpinionMove): Promise<number> {
  const isIn = within({ since, until });
  const { rows } = await sql<{ restated: number }>`
    WITH restated AS MATERIALIZED (SELECT user_id, project_id, period FROM restated_votes LIMIT ${restated}),
    keys AS MATERIALIZED (
      SELECT user_id, project_id, period FROM ${opinionsGiven(isIn)} o
      UNION SELECT * FROM ${replacedBy(isIn)} r
      UNION SELECT user_id, project_id, period FROM restated
    ), found AS MATERIALIZED (
      SELECT v.user_id <= ${recountUser} AS is_recounted, ${TALLY_COLUMNS}, v.said_at, v.changed_at, v.replaced_at,
        v.unreplaced_state AS after, ${COUNTED_AS} AS before
      FROM keys k JOIN opinion_states v ON v.user_id = k.user_id AND v.project_id = k.project_id AND v.period = k.period
      LEFT JOIN projects p ON p.id = v.project_id ${lookUpOpinion('restated_votes', 'x')}
    ), moved AS (
      SELECT f.is_recounted, f.project_id, f.period, f.identity, f.cast_on, f.turned_on, f.bullish, CASE
          WHEN f.replaced_at < m.moment THEN 'replaced' WHEN m.sign = 1 THEN f.after ELSE f.before END AS state, sum(m.sign) AS n
      FROM found f CROSS JOIN (VALUES (${until}::timestamptz, 1), (${since}::timestamptz, -1)) AS m (moment, sign)
      WHERE f.said_at < m.moment AND (f.changed_at >= m.moment) IS NOT FALSE GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING sum(m.sign) <> 0
    ), tallied AS MATERIALIZED (
      SELECT t.*, g.is_recounted FROM moved g CROSS JOIN LATERAL ${TALLY} WHERE t.value <> 0
      UNION ALL SELECT 'said', 0, 0, 0, '-infinity', '', 1, is_recounted FROM found WHERE ${isIn(sql`said_at`)}
    ), ${addTo(sql`tallied`)}, done AS (
      -- By their places, as the statistics of a table that was empty would join each row with each key.
      DELETE FROM restated_votes WHERE ctid = ANY (ARRAY(SELECT r.ctid FROM keys k CROSS JOIN LATERAL (
        SELECT x.ctid FROM restated_votes x WHERE x.user_id = k.user_id AND x.project_id = k.project_id AND x.period = k.period OFFSET 0) r))
      RETURNING *
    ), changed AS (
      -- The record said the state before the first of several changes.
      INSERT INTO changed_states (user_id, project_id, period, said_at, was)
      SELECT user_id, project_id, period, said_at, counted_as FROM done ON CONFLICT DO NOTHING
    )
    SELECT count(*) AS restated FROM restated`.execute(trx);
  return rows[0]?.restated ?? 0;
}

async function moveEntries(trx: Db, { since, until, recountUser }: Move): Promise<void> {
  const entries = entriesIn(within({ since, until }));
  await sql`
    WITH sums AS (
      SELECT kind, user_id <= ${recountUser} AS is_recounted, sum(amount) AS amount, count(*) AS entries FROM ${entries} e GROUP BY 1, 2
    ), tallied AS MATERIALIZED (
      SELECT 'ledger' AS name, 0 AS project_id, 0 AS period, 0 AS identity, '-infinity'::date AS day, kind, amount AS value, is_recounted FROM sums
      UNION ALL SELECT 'entries', 0, 0, 0, '-infinity', '', entries, is_recounted FROM sums
    ), ${addTo(sql`tallied`)} SELECT`.execute(trx);
}

/** Users whose balance rose above 0, less those whose balance fell to 0. */
async function moveHolders(trx: Db, since: string, { until, recountUser }: Omit<Move, 'since'>): Promise<void> {
  await sql`
    WITH moved AS (
      SELECT e.user_id <= ${recountUser} AS is_recounted,
        sum((s.balance - coalesce(l.owed, 0) > 0)::int - (s.balance - coalesce(l.owed, 0) - e.owed > 0)::int) AS value
      FROM (SELECT user_id, sum(owed) AS owed FROM ${entriesIn(within({ since, until }))} x GROUP BY 1) e
      JOIN user_stats s ON s.user_id = e.user_id
      LEFT JOIN (SELECT user_id, sum(owed) AS owed FROM ${entriesIn(from(until))} e GROUP BY 1) l ON l.user_id = e.user_id GROUP BY 1
    ), tallied AS MATERIALIZED (
      SELECT 'holders' AS name, 0 AS project_id, 0 AS period, 0 AS identity, '-infinity'::date AS day, '' AS kind, value, is_recounted FROM moved
    ), ${addTo(sql`tallied`)} SELECT`.execute(trx);
  await sql`UPDATE totals_state SET holders_until = ${until}::timestamptz`.execute(trx);
}

async function lockState(trx: Db): Promise<State> {
  const { rows } = await sql<State>`
    SELECT counted_until::text AS "countedUntil", holders_until::text AS "holdersUntil",
      CASE WHEN recount_started_at IS NULL THEN 0 ELSE recount_user END AS "recountUser"
    FROM totals_state FOR UPDATE`.execute(trx);
  const [state] = rows;
  if (!state) throw new Error('the totals have no state');
  return state;
}

/** The time of the first vote before `until`, or `until`. */
export async function firstVote(trx: Db, until: string): Promise<string> {
  const { rows } = await sql<{ first: string }>`
    SELECT least(${firstVoteAt}, ${until}::timestamptz)::text AS first`.execute(trx);
  return rows[0]?.first ?? until;
}

/** The next slice up to `end`. */
async function nextSlice(trx: Db, end: string, size: number): Promise<Move> {
  const { countedUntil: since, recountUser } = await lockState(trx);
  const start = since === '-infinity' ? await firstVote(trx, end) : since;
  const until = start === end ? end : await endOfSlice(trx, { since: start, until: end }, size);
  return { since, until, recountUser };
}

/** Resolves to how many opinions had another state than when they were counted. */
async function moveSlice(trx: Db, move: Move, size: number): Promise<number> {
  await lookUpOneByOne(trx, true);
  const restated = await moveOpinions(trx, { ...move, restated: size });
  await moveEntries(trx, move);
  await lookUpOneByOne(trx, false);
  await sql`UPDATE totals_state SET counted_until = ${move.until}::timestamptz, moves = moves + 1`.execute(trx);
  return restated;
}

/** Moves the totals to a moment that no later opinion precedes, a transaction for each slice. What is restated after it waits for the next move. */
export async function moveTotals(db: Db, end: string, { slice = SLICE } = {}): Promise<void> {
  await ensureState(db);
  for (let isLast = false; !isLast;)
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    isLast = await longTransaction(
      db,
      async (trx) => {
        const next = await nextSlice(trx, end, slice);
        const restated = await moveSlice(trx, next, slice);
        return next.until === end && restated < slice;
      },
      { isSnapshot: true },
    );
}

/** Moves the rest, in the transaction that closes the day. */
export async function moveRest(trx: Db, end: string): Promise<void> {
  const { holdersUntil, recountUser } = await lockState(trx);
  await moveHolders(trx, holdersUntil, { until: end, recountUser });
  await sql`DELETE FROM totals WHERE name = 'trend' AND day < ${TREND_FROM}`.execute(trx);
}

export const isSerializationFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === SERIALIZATION_FAILURE;
