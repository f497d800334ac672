import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { WaitingWork } from '#shared/contract/overview.ts';
import { isMarked } from '../moderation/marks.ts';

export type QueueName = 'withdrawals' | 'payments' | 'names' | 'reports' | 'appeals';

interface Queue {
  table: RawBuilder<unknown>;
  open: RawBuilder<boolean>;
  /** Settled items with their time; null where a row does not have it. */
  settled: { where: RawBuilder<boolean>; at: RawBuilder<Date> } | null;
  /** The rows that stand for an item where it can have several. */
  items?: RawBuilder<boolean>;
}

/** The first of the reports on one subject that are open or were resolved together: one item of the queue. */
const firstOfReports = sql<boolean>`NOT EXISTS (SELECT FROM reports e WHERE e.id < reports.id AND e.subject = reports.subject
    AND e.subject_id = reports.subject_id AND e.resolved_at IS NULL AND reports.resolved_at IS NULL)
  AND NOT EXISTS (SELECT FROM reports e WHERE e.id < reports.id AND e.subject = reports.subject
    AND e.subject_id = reports.subject_id AND e.resolved_at = reports.resolved_at)`;

/** Each condition matches an index: only open rows and rows of these days are read. */
const QUEUES: Record<QueueName, Queue> = {
  withdrawals: {
    table: sql`withdrawals`,
    open: sql`state IN ('requested', 'approved')`,
    settled: { where: sql`state IN ('paid', 'rejected')`, at: sql`updated_at` },
  },
  payments: { table: sql`payments`, open: sql`state = 'unclaimed'`, settled: null },
  names: {
    table: sql`(SELECT look_alike_since AS created_at FROM projects WHERE ${isMarked}) marked`,
    open: sql`true`,
    settled: null,
  },
  reports: {
    table: sql`reports`,
    open: sql`resolved_at IS NULL`,
    settled: { where: sql`resolved_at IS NOT NULL`, at: sql`resolved_at` },
    items: firstOfReports,
  },
  appeals: {
    table: sql`appeals`,
    open: sql`answered_at IS NULL`,
    settled: { where: sql`answered_at IS NOT NULL`, at: sql`answered_at` },
  },
};

export interface Counted {
  day: string;
  count: number;
}

/** Counts by UTC day since `since`; days with a count of 0 are left out. */
export async function countDays(
  db: Db,
  {
    table,
    where,
    at,
    since,
  }: { table: RawBuilder<unknown>; where: RawBuilder<boolean>; at: RawBuilder<Date>; since: string },
): Promise<Map<string, number>> {
  const { rows } = await sql<Counted>`
    SELECT to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS count FROM ${table}
    WHERE ${where} AND ${at} >= ${since}::timestamp AT TIME ZONE 'UTC' GROUP BY 1`.execute(db);
  return new Map(rows.map(({ day, count }) => [day, count]));
}

/** Open items at the end of each day: backwards from the present ones. */
export function openByDay(
  days: readonly string[],
  openNow: number,
  arrived: ReadonlyMap<string, number>,
  settled: ReadonlyMap<string, number>,
): WaitingWork['days'] {
  const found: WaitingWork['days'] = [];
  let open = openNow;
  for (const day of days.toReversed()) {
    found.push({ day, arrived: arrived.get(day) ?? 0, open: Math.max(0, open) });
    open -= (arrived.get(day) ?? 0) - (settled.get(day) ?? 0);
  }
  return found.toReversed();
}

export async function readQueue(db: Db, name: QueueName, days: readonly string[]): Promise<WaitingWork> {
  const { table, open, settled, items = sql<boolean>`true` } = QUEUES[name];
  const { rows } = await sql<{ open: number; oldestAt: Date | null }>`
    SELECT count(*) AS open, min(created_at) AS "oldestAt" FROM ${table} WHERE ${open} AND ${items}`.execute(db);
  const now = { open: rows[0]?.open ?? 0, oldestAt: rows[0]?.oldestAt?.toISOString() ?? null };
  const since = days[0];
  if (settled === null || since === undefined) return { ...now, days: [] };
  const [arrived, left] = await Promise.all([
    countDays(db, { table, where: items, at: sql`created_at`, since }),
    countDays(db, { table, at: settled.at, where: sql`${settled.where} AND ${items}`, since }),
  ]);
  return { ...now, days: openByDay(days, now.open, arrived, left) };
}
