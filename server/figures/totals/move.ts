import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { entriesIn, firstVoteAt, from, opinionsGiven, replacedBy, type Span, within } from '#server/books/opinions.ts';
import { type CloseServices, closeTime } from './close-time.ts';
import { showTotals } from './show.ts';
import { endOfSlice, lookUpOneByOne } from './slices.ts';
import { COUNTED_AS, KEY, TALLY, TALLY_COLUMNS, TALLY_JOINS } from './tally.ts';

/*
 * Moves the totals by what is new (R69): opinions and ledger entries since `totals_state.counted_until`, and opinions whose state has changed
 * (restated_votes, written by triggers). Each slice is a transaction, so that any server continues an interrupted run. The recount reports a
 * total that was changed by hand; `resetTotals` counts everything again.
 */

const SLICE = 20_000;
const SERIALIZATION_FAILURE = '40001';

interface State {
  countedUntil: string;
  holdersUntil: string | null;
  /** Moves of users up to this one also move the recount; 0: no recount is running. */
  recountUser: number;
}

interface Move extends Span {
  recountUser: number;
}

interface OpinionMove extends Move {
  restated: number;
}

export async function ensureCounts(db: Db): Promise<void> {
  await sql`INSERT INTO verified_counts (counted_until, counted_at) VALUES ('-infinity', now()) ON CONFLICT DO NOTHING`.execute(
    db,
  );
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
      FROM keys k JOIN opinion_states v ON v.user_id = k.user_id AND v.project_id = k.project_id AND v.period = k.period ${TALLY_JOINS}
    ), moved AS (
      SELECT f.is_recounted, f.project_id, f.period, f.identity, f.cast_on, f.turned_on, f.bullish, CASE
          WHEN f.replaced_at < m.moment THEN 'replaced' WHEN m.sign = 1 THEN f.after ELSE f.before END AS state, sum(m.sign) AS n
      FROM found f CROSS JOIN (VALUES (${until}::timestamptz, 1), (${since}::timestamptz, -1)) AS m (moment, sign)
      WHERE f.said_at < m.moment AND (f.changed_at >= m.moment) IS NOT FALSE GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING sum(m.sign) <> 0
    ), tallied AS MATERIALIZED (
      SELECT t.*, g.is_recounted FROM moved g CROSS JOIN LATERAL ${TALLY} WHERE t.value <> 0
      UNION ALL SELECT 'said', 0, 0, 0, '-infinity', '', 1, is_recounted FROM found WHERE ${isIn(sql`said_at`)}
    ), ${addTo(sql`tallied`)}, done AS (
      DELETE FROM restated_votes r USING keys k WHERE r.user_id = k.user_id AND r.project_id = k.project_id AND r.period = k.period
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

/** Users whose balance rose above 0, less those whose balance fell to 0. The first time all balances are read. */
async function moveHolders(trx: Db, since: string | null, { until, recountUser }: Move): Promise<void> {
  const later = sql`SELECT user_id, sum(owed) AS owed FROM ${entriesIn(from(until))} e GROUP BY 1`;
  const moved =
    since === null
      ? sql`SELECT false AS is_recounted, count(*) AS value FROM user_stats s LEFT JOIN (${later}) l USING (user_id)
        WHERE s.balance - coalesce(l.owed, 0) > 0`
      : sql`SELECT e.user_id <= ${recountUser} AS is_recounted,
          sum((s.balance - coalesce(l.owed, 0) > 0)::int - (s.balance - coalesce(l.owed, 0) - e.owed > 0)::int) AS value
        FROM (SELECT user_id, sum(owed) AS owed FROM ${entriesIn(within({ since, until }))} x GROUP BY 1) e
        JOIN user_stats s ON s.user_id = e.user_id LEFT JOIN (${later}) l ON l.user_id = e.user_id GROUP BY 1`;
  await sql`
    WITH tallied AS MATERIALIZED (
      SELECT 'holders' AS name, 0 AS project_id, 0 AS period, 0 AS identity, '-infinity'::date AS day, '' AS kind, value, is_recounted FROM (${moved}) m
    ), ${addTo(sql`tallied`)} SELECT`.execute(trx);
  await sql`UPDATE totals_state SET holders_until = ${until}::timestamptz`.execute(trx);
}

async function nextSlice(trx: Db, closed: string): Promise<State & { end: string }> {
  const { rows } = await sql<State & { end: string }>`
    SELECT counted_until::text AS "countedUntil", holders_until::text AS "holdersUntil",
      CASE WHEN recount_started_at IS NULL THEN 0 ELSE recount_user END AS "recountUser",
      greatest(counted_until, ${closed}::timestamptz)::text AS end
    FROM totals_state FOR UPDATE`.execute(trx);
  const [state] = rows;
  if (!state) throw new Error('the totals have no state');
  return state;
}

async function firstVote(trx: Db, until: string): Promise<string> {
  const { rows } = await sql<{ first: string }>`
    SELECT least(${firstVoteAt}, ${until}::timestamptz)::text AS first`.execute(trx);
  return rows[0]?.first ?? until;
}

async function moveSlice(db: Db, closed: string, size: number): Promise<boolean> {
  return longTransaction(
    db,
    async (trx) => {
      const { countedUntil: since, recountUser, holdersUntil, end } = await nextSlice(trx, closed);
      const from = since === '-infinity' ? await firstVote(trx, end) : since;
      const until = from === end ? end : await endOfSlice(trx, { since: from, until: end }, size);
      await lookUpOneByOne(trx);
      const restated = await moveOpinions(trx, { since, until, recountUser, restated: size });
      await moveEntries(trx, { since, until, recountUser });
      await sql`UPDATE totals_state SET counted_until = ${until}::timestamptz, moves = moves + 1`.execute(trx);
      const isDone = until === end && restated < size;
      if (isDone) {
        await sql`SELECT set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true)`.execute(
          trx,
        );
        await moveHolders(trx, holdersUntil, { since, until, recountUser });
        await showTotals(trx, until);
      }
      return isDone;
    },
    { isSnapshot: true },
  );
}

export const isSerializationFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === SERIALIZATION_FAILURE;

/** False: another server moved the totals, or a state changed at that moment. The next run continues. */
export async function moveTotals(services: CloseServices, { slice = SLICE } = {}): Promise<boolean> {
  // Before the snapshot, which then has all votes of that time.
  const closed = await closeTime(services);
  try {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    while (!(await moveSlice(services.db, closed, slice)));
  } catch (error) {
    if (isSerializationFailure(error)) return false;
    throw error;
  }
  return true;
}
