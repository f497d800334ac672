import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import {
  REASONS,
  REASONS_EVERY_DAYS,
  REASONS_MIN_VOTERS,
  REASONS_OWNER_MIN_NEW,
  REASONS_OWNER_MIN_VOTERS,
} from '#shared/voting/reasons.ts';
import { toBase64Url } from '#record/entries/base64url.ts';
import type { EntryOf, OtherEntry } from '#record/entries/entries.ts';
import { type LogWriter, readInPages } from './writer.ts';

interface OthersTask {
  trx: Db;
  log: LogWriter;
  /** The batch's day and end. */
  day: string;
  until: string;
}

interface Act {
  projectId: number;
  number: number;
  identity: number;
}

/** The query selects the fields of the entry, its hash as bytes. */
async function appendRows(
  { trx, log, day }: OthersTask,
  kind: 'version' | 'owner',
  query: RawBuilder<unknown>,
): Promise<void> {
  for await (const rows of readInPages<{ hash?: Buffer }>(trx, `new_${kind}`, query)) {
    for (const { hash, ...row } of rows)
      log.append({ kind, day, ...row, ...(hash ? { hash: toBase64Url(hash) } : {}) } as OtherEntry);
    await log.flush(trx);
  }
}

/** Versions of listings, those that moderators blanked, and which identities they say are one project (R60). */
async function appendVersions(task: OthersTask): Promise<void> {
  const { trx, log, day, until } = task;
  const isNew = sql`NOT is_recorded AND created_at < ${until}::timestamptz`;
  await appendRows(
    task,
    'version',
    sql`SELECT project_id, number, identity, hash FROM listing_versions WHERE ${isNew} ORDER BY project_id, number`,
  );
  await sql`UPDATE listing_versions SET is_recorded = true WHERE ${isNew}`.execute(trx);
  const acts = async (change: RawBuilder<unknown>): Promise<Act[]> => {
    const { rows } = await sql<Act>`
      UPDATE listing_versions SET ${change} AND is_recorded RETURNING project_id, number, identity`.execute(trx);
    return rows.toSorted((one, other) => one.projectId - other.projectId || one.number - other.number);
  };
  const isBefore = sql`< ${until}::timestamptz`;
  const blanked = await acts(sql`is_blank_recorded = true WHERE blanked_at ${isBefore} AND NOT is_blank_recorded`);
  for (const { projectId, number } of blanked) log.append({ kind: 'blank', day, projectId, number });
  // At most one of both: the decision of the moderators, if the record says otherwise.
  const same = await acts(sql`is_same_recorded = true WHERE same_at ${isBefore} AND NOT is_same_recorded`);
  for (const { projectId, identity } of same) log.append({ kind: 'same', day, projectId, identity });
  const apart = await acts(
    sql`is_same_recorded = false WHERE apart_at ${isBefore} AND same_at IS NULL AND is_same_recorded`,
  );
  for (const { projectId, identity } of apart) log.append({ kind: 'apart', day, projectId, identity });
}

/** Proofs of ownership that were made, accepted or lost (R71). */
async function appendOwners(task: OthersTask): Promise<void> {
  const isNew = sql`NOT is_recorded AND created_at < ${task.until}::timestamptz`;
  const query = sql`SELECT project_id, state, hash FROM ownership_events WHERE ${isNew} ORDER BY project_id, id`;
  await appendRows(task, 'owner', query);
  await sql`UPDATE ownership_events SET is_recorded = true WHERE ${isNew}`.execute(task.trx);
}

/**
 * Reasons of votes as totals (R89), by what the record says of these votes. Each figure needs ten voters with standing whom no figure
 * has counted in this listing period, as free ones cost nothing; the owner's need five, three of them new. Those before the batch's end alone,
 * as the totals of the batch have them. Reads all reasons of a project only where enough new ones wait.
 */
async function appendReasons({ trx, log, day, until }: OthersTask): Promise<void> {
  const before = sql`${until}::timestamptz`;
  const names = sql.join(REASONS.map((reason) => sql.ref(reason)));
  const counts = sql.join(REASONS.map((_, bit) => sql`count(*) FILTER (WHERE reasons & ${sql.lit(1 << bit)} > 0)`));
  const reasonsOf = (condition: RawBuilder<unknown>) => sql`(
      SELECT g.*, o.unreplaced_state = 'verified' AS verified FROM (SELECT * FROM vote_reasons WHERE ${condition} OFFSET 0) g
      CROSS JOIN LATERAL (SELECT unreplaced_state FROM opinion_states o WHERE o.user_id = g.user_id AND o.project_id = g.project_id
        AND o.period = g.period AND o.said_at < ${before} ORDER BY o.said_at DESC LIMIT 1) o
      WHERE g.reasons > 0 AND g.given_at < ${before} AND o.unreplaced_state IN ('verified', 'waiting', 'no_standing')
        AND NOT EXISTS (SELECT FROM votes l WHERE l.period > 1 AND l.user_id = g.user_id AND l.project_id = g.project_id
          AND l.period > g.period AND l.created_at < ${before}))`;
  const { rows } = await sql<Omit<EntryOf<'reasons'>, 'kind' | 'day' | 'group'> & { verified: boolean }>`
    WITH due AS MATERIALIZED (
      SELECT project_id, verified, bullish, a.is_public, a.needed
      FROM ${reasonsOf(sql`NOT (is_public AND is_shown) AND user_id IN (SELECT user_id FROM voter_standing WHERE state = 'standing')`)} g CROSS JOIN (VALUES
        (true, ${sql.lit(REASONS_MIN_VOTERS)}, ${sql.lit(REASONS_MIN_VOTERS)}), (false, ${sql.lit(REASONS_OWNER_MIN_VOTERS)}, ${sql.lit(REASONS_OWNER_MIN_NEW)})) a (is_public, needed, new)
      WHERE NOT CASE WHEN a.is_public THEN g.is_public ELSE g.is_shown END
        AND NOT EXISTS (SELECT FROM reason_figures f WHERE f.project_id = g.project_id AND f.verified = g.verified AND f.bullish = g.bullish
        AND f.is_public = a.is_public AND f.day > ${day}::date - ${sql.lit(REASONS_EVERY_DAYS)})
      GROUP BY project_id, verified, bullish, a.is_public, a.needed, a.new HAVING count(*) >= a.new
    ), given AS MATERIALIZED (
      SELECT g.*, EXISTS (SELECT FROM voter_standing w WHERE w.user_id = g.user_id AND w.state = 'standing') AS stands
      FROM ${reasonsOf(sql`(project_id, bullish) IN (SELECT project_id, bullish FROM due)`)} g
    ), figures AS (
      INSERT INTO reason_figures (project_id, day, verified, bullish, is_public, voters, ${names})
      SELECT project_id, ${day}::date, verified, bullish, d.is_public, count(*), ${counts} FROM given g JOIN due d USING (project_id, verified, bullish)
      GROUP BY project_id, verified, bullish, d.is_public, d.needed HAVING count(*) FILTER (WHERE stands) >= d.needed
      RETURNING *
    ), marked AS (
      UPDATE vote_reasons r SET is_public = r.is_public OR n.is_public, is_shown = r.is_shown OR n.is_shown FROM (
        SELECT g.user_id, g.project_id, g.period, bool_or(f.is_public) AS is_public, bool_or(NOT f.is_public) AS is_shown
        FROM given g JOIN figures f ON f.project_id = g.project_id AND f.verified = g.verified AND f.bullish = g.bullish GROUP BY 1, 2, 3
      ) n
      WHERE r.user_id = n.user_id AND r.project_id = n.project_id AND r.period = n.period AND (n.is_public > r.is_public OR n.is_shown > r.is_shown)
    )
    SELECT project_id, verified, bullish, voters, ${names} FROM figures WHERE is_public
    ORDER BY project_id, verified DESC, bullish DESC`.execute(trx);
  for (const { verified, ...row } of rows)
    log.append({ kind: 'reasons', day, group: verified ? 'verified' : 'others', ...row });
}

/** Records what happened to listings before the batch's end and is not recorded yet. */
export async function appendListings(task: OthersTask): Promise<void> {
  await appendVersions(task);
  await appendOwners(task);
  await appendReasons(task);
}
