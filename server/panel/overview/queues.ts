import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { WaitingWork } from '#shared/contract/overview.ts';
import { isWaiting } from '#server/listings/ownership/take-over.ts';
import { isMarked } from '../moderation/marks.ts';

export type QueueName = 'withdrawals' | 'payments' | 'names' | 'claims' | 'reports' | 'appeals';

/** True for the first of the open reports on one subject: they are one item of the queue. */
const isFirstReport = sql<boolean>`NOT EXISTS (SELECT FROM reports e WHERE e.id < reports.id AND e.subject = reports.subject
    AND e.subject_id = reports.subject_id AND e.resolved_at IS NULL)`;

/** Each condition matches an index. */
const QUEUES: Record<QueueName, { table: RawBuilder<unknown>; open: RawBuilder<boolean> }> = {
  withdrawals: { table: sql`withdrawals`, open: sql`state IN ('requested', 'approved')` },
  payments: { table: sql`payments`, open: sql`state = 'unclaimed'` },
  names: {
    table: sql`(SELECT look_alike_since AS created_at FROM projects WHERE ${isMarked}) marked`,
    open: sql`true`,
  },
  claims: { table: sql`claims`, open: isWaiting },
  reports: { table: sql`reports`, open: sql`resolved_at IS NULL AND ${isFirstReport}` },
  appeals: { table: sql`appeals`, open: sql`answered_at IS NULL` },
};

export async function readQueue(db: Db, name: QueueName): Promise<WaitingWork> {
  const { table, open } = QUEUES[name];
  const { rows } = await sql<{ open: number; oldestAt: Date | null }>`
    SELECT count(*) AS open, min(created_at) AS "oldestAt" FROM ${table} WHERE ${open}`.execute(db);
  return { open: rows[0]?.open ?? 0, oldestAt: rows[0]?.oldestAt?.toISOString() ?? null };
}
