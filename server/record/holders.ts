import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { HOLDERS_EVERY_DAYS } from '#shared/holders.ts';
import { type LogWriter, readInPages } from './writer.ts';

interface FiguresRow {
  projectId: number;
  holdersBullish: number;
  holdersBearish: number;
  othersBullish: number;
  othersBearish: number;
}

interface HoldersTask {
  trx: Db;
  log: LogWriter;
  /** The batch's day and end. */
  day: string;
  until: string;
}

/** Records the newest figures of holders (R73) before the batch's end; returns the number of entries. */
export async function appendHolders({ trx, log, day, until }: HoldersTask): Promise<number> {
  const size = log.size;
  const due = sql`f.recorded_on IS NULL AND f.counted_at < ${until}::timestamptz AND NOT EXISTS (SELECT FROM holder_figures r
    WHERE r.project_id = f.project_id AND r.recorded_on > ${day}::date - ${sql.lit(HOLDERS_EVERY_DAYS)})`;
  const pages = readInPages<FiguresRow>(
    trx,
    'new_holders',
    sql`SELECT DISTINCT ON (project_id) project_id, holders_bullish, holders_bearish, others_bullish, others_bearish
      FROM holder_figures f WHERE ${due} ORDER BY project_id, day DESC`,
  );
  for await (const rows of pages) {
    for (const row of rows) log.append({ kind: 'holders', day, ...row });
    await log.flush();
  }
  // Older ones that had to wait are in the newest one's place.
  await sql`UPDATE holder_figures f SET recorded_on = ${day}::date WHERE ${due}`.execute(trx);
  return log.size - size;
}
