import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { toBase64Url } from '#record/entries/base64url.ts';
import type { OtherEntry } from '#record/entries/entries.ts';
import { HOLDERS_EVERY_DAYS } from '#shared/holders.ts';
import { type LogWriter, readInPages } from './writer.ts';

interface OthersTask {
  trx: Db;
  log: LogWriter;
  /** The batch's day and end. */
  day: string;
  until: string;
}

/** The query selects the fields of the entry, its hash as bytes. */
async function appendRows(
  { trx, log, day }: OthersTask,
  kind: 'version' | 'owner' | 'holders',
  query: RawBuilder<unknown>,
): Promise<void> {
  for await (const rows of readInPages<{ hash?: Buffer }>(trx, `new_${kind}`, query)) {
    for (const { hash, ...row } of rows)
      log.append({ kind, day, ...row, ...(hash ? { hash: toBase64Url(hash) } : {}) } as OtherEntry);
    await log.flush();
  }
}

/** Versions of listings, and statements of moderators that two identities are one project (R60). */
async function appendVersions(task: OthersTask): Promise<void> {
  const { trx, log, day, until } = task;
  const isNew = sql`NOT is_recorded AND created_at < ${until}::timestamptz`;
  await appendRows(
    task,
    'version',
    sql`SELECT project_id, number, identity, hash FROM listing_versions WHERE ${isNew} ORDER BY project_id, number`,
  );
  await sql`UPDATE listing_versions SET is_recorded = true WHERE ${isNew}`.execute(trx);
  const { rows } = await sql<{ projectId: number; identity: number }>`
    UPDATE listing_versions SET is_same_recorded = true
    WHERE is_recorded AND same_at < ${until}::timestamptz AND NOT is_same_recorded RETURNING project_id, identity`.execute(
    trx,
  );
  const inOrder = rows.toSorted((one, other) => one.projectId - other.projectId || one.identity - other.identity);
  for (const same of inOrder) log.append({ kind: 'same', day, ...same });
}

/** Proofs of ownership that were made, accepted or lost (R71). */
async function appendOwners(task: OthersTask): Promise<void> {
  const isNew = sql`NOT is_recorded AND created_at < ${task.until}::timestamptz`;
  const query = sql`SELECT project_id, state, hash FROM ownership_events WHERE ${isNew} ORDER BY project_id, id`;
  await appendRows(task, 'owner', query);
  await sql`UPDATE ownership_events SET is_recorded = true WHERE ${isNew}`.execute(task.trx);
}

/** The newest figures of holders (R73). Older ones that had to wait are never recorded. */
async function appendHolders(task: OthersTask): Promise<void> {
  const { trx, day, until } = task;
  const due = sql`f.recorded_on IS NULL AND f.counted_at < ${until}::timestamptz AND NOT EXISTS (SELECT FROM holder_figures r
    WHERE r.project_id = f.project_id AND r.recorded_on > ${day}::date - ${sql.lit(HOLDERS_EVERY_DAYS)})`;
  await appendRows(
    task,
    'holders',
    sql`SELECT DISTINCT ON (project_id) project_id, holders_bullish, holders_bearish, others_bullish, others_bearish
      FROM holder_figures f WHERE ${due} ORDER BY project_id, day DESC`,
  );
  await sql`UPDATE holder_figures f SET recorded_on = ${day}::date WHERE ${due}`.execute(trx);
}

/** Records what happened to listings before the batch's end and is not recorded yet. */
export async function appendListings(task: OthersTask): Promise<void> {
  await appendVersions(task);
  await appendOwners(task);
  await appendHolders(task);
}
