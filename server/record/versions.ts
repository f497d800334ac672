import { sql } from 'kysely';
import { toBase64Url } from '#record/entries/base64url.ts';
import type { Db } from '#db/client.ts';
import { type LogWriter, readInPages } from './writer.ts';

interface VersionRow {
  projectId: number;
  number: number;
  identity: number;
  hash: Buffer;
}

interface VersionsTask {
  trx: Db;
  log: LogWriter;
  /** The batch's day and end. */
  day: string;
  until: string;
}

/**
 * Records each version of a listing, and each statement of a moderator that two identities are one project (R60), made
 * before the batch's end and not recorded yet; returns the number of entries.
 */
export async function appendVersions({ trx, log, day, until }: VersionsTask): Promise<number> {
  const size = log.size;
  const pages = readInPages<VersionRow>(
    trx,
    'new_versions',
    sql`SELECT project_id, number, identity, hash FROM listing_versions
      WHERE NOT is_recorded AND created_at < ${until}::timestamptz ORDER BY project_id, number`,
  );
  for await (const rows of pages) {
    for (const { hash, ...version } of rows) log.append({ kind: 'version', day, ...version, hash: toBase64Url(hash) });
    await log.flush();
  }
  await sql`UPDATE listing_versions SET is_recorded = true WHERE NOT is_recorded AND created_at < ${until}::timestamptz`.execute(
    trx,
  );
  const { rows } = await sql<{ projectId: number; identity: number }>`
    UPDATE listing_versions SET is_same_recorded = true
    WHERE is_recorded AND same_at < ${until}::timestamptz AND NOT is_same_recorded RETURNING project_id, identity`.execute(
    trx,
  );
  const inOrder = rows.toSorted((one, other) => one.projectId - other.projectId || one.identity - other.identity);
  for (const same of inOrder) log.append({ kind: 'same', day, ...same });
  return log.size - size;
}
