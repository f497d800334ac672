import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { lastRestore } from '#server/kit/backups.ts';
import { noteLost } from '#server/kit/restored.ts';

/**
 * A database that went back to an earlier moment may lack days of the record that were published after it. A log that
 * continues from there would contradict its own anchors and its readers' copies, so nothing is published until it is
 * certain that no days are missing.
 */
export async function isRecordWaiting(db: Db): Promise<boolean> {
  return (await lastRestore(db))?.recordWaits ?? false;
}

/** Whether the database went back to before the end of this day. */
export async function isRestoredTo(db: Db, until: string): Promise<boolean> {
  const found = await db
    .selectFrom('restores')
    .select('id')
    .where('moment', '<', sql<Date>`${until}::timestamptz`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** A day is published once, after its end: a log that reaches today lacks nothing. */
async function isRecordUpToDate(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isUpToDate: boolean }>`
    SELECT coalesce(max(until) >= date_trunc('day', clock_timestamp(), 'UTC'), false) AS "isUpToDate" FROM log_checkpoints`.execute(
    db,
  );
  return rows[0]?.isUpToDate ?? false;
}

/** Records that the database went back to an earlier moment; returns whether the record now waits. */
export async function noteRestore(db: Db, moment: Date, hasRecord: boolean): Promise<boolean> {
  const recordWaits = hasRecord && !(await isRecordUpToDate(db));
  await noteLost(db, moment);
  await db.insertInto('restores').values({ moment, recordWaits }).execute();
  return recordWaits;
}

/** Evidence that something has been published already; null without any. */
export async function findPublished(db: Db): Promise<string | null> {
  const first = await db.selectFrom('logCheckpoints').select('size').limit(1).executeTakeFirst();
  return first === undefined ? null : 'this database has published: give the newest checkpoint';
}

/** Entries that readers hold and the log of a restored database lacks, by their newest checkpoint; null without any. */
export async function findMissing(db: Db, note: string): Promise<string | null> {
  const [, sizeText = '', root = ''] = note.split('\n');
  const size = Number(sizeText);
  if (!Number.isSafeInteger(size) || size < 1 || Buffer.from(root, 'base64').length !== 32)
    return 'it is not a checkpoint';
  const newest = await db
    .selectFrom('logCheckpoints')
    .select(['size', 'root'])
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  const has = newest?.size ?? 0;
  if (has < size) return `${size - has} entries of the record are missing: the log has ${has}, readers hold ${size}`;
  if (has > size) return `the log has ${has} entries already: give the newest checkpoint`;
  return newest?.root.equals(Buffer.from(root, 'base64')) ? null : 'it is a checkpoint of another log';
}

export async function releaseRecord(db: Db): Promise<void> {
  await db.updateTable('restores').set({ recordWaits: false }).where('recordWaits', '=', true).execute();
}
