import { sql } from 'kysely';
import { toBase64Url } from '#record/entries/base64url.ts';
import type { OwnerState } from '#record/entries/entries.ts';
import type { Db } from '#db/client.ts';
import { type LogWriter, readInPages } from './writer.ts';

interface EventRow {
  projectId: number;
  state: OwnerState;
  hash: Buffer;
}

interface OwnersTask {
  trx: Db;
  log: LogWriter;
  /** The batch's day and end. */
  day: string;
  until: string;
}

/** Records what became of proofs of ownership (R71) before the batch's end; returns the number of entries. */
export async function appendOwners({ trx, log, day, until }: OwnersTask): Promise<number> {
  const size = log.size;
  const pages = readInPages<EventRow>(
    trx,
    'new_owners',
    sql`SELECT project_id, state, hash FROM ownership_events
      WHERE NOT is_recorded AND created_at < ${until}::timestamptz ORDER BY project_id, id`,
  );
  for await (const rows of pages) {
    for (const { hash, ...owner } of rows) log.append({ kind: 'owner', day, ...owner, hash: toBase64Url(hash) });
    await log.flush();
  }
  await sql`UPDATE ownership_events SET is_recorded = true WHERE NOT is_recorded AND created_at < ${until}::timestamptz`.execute(
    trx,
  );
  return log.size - size;
}
