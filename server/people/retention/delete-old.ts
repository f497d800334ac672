import { sql } from 'kysely';
import { type Deletion, deleteInBatches, keptSince, keptSinceDay } from '#db/delete-in-batches.ts';
import { DATA } from '#db/tables.ts';
import type { Services } from '#server/kit/services.ts';

/**
 * Tables that are cleaned by age alone, and by no other job. No statement scans a whole table that grows with users.
 */
const DELETIONS: readonly Deletion[] = [
  {
    table: 'notices',
    // Notices are numbered in the order of their times: if the first ones are young, all are.
    find: (limit) => sql`SELECT ctid FROM (SELECT ctid, created_at FROM notices ORDER BY id LIMIT ${limit}) AS first
      WHERE created_at < ${keptSince(DATA.notices.kept)}`,
  },
  {
    table: 'project_events_days',
    find: (limit) => sql`SELECT e.ctid FROM projects p CROSS JOIN LATERAL (
      SELECT ctid FROM project_events_days d WHERE d.project_id = p.id AND d.day < ${keptSinceDay(DATA.projectEvents.kept)} LIMIT 100
    ) e LIMIT ${limit}`,
  },
  {
    table: 'claims',
    find: (limit) => sql`SELECT ctid FROM claims c WHERE decided_at < ${keptSince(DATA.claims.kept)}
      AND NOT EXISTS (SELECT FROM payments p WHERE p.id = c.refund_payment_id AND p.state = 'fulfilled') LIMIT ${limit}`,
  },
  {
    table: 'storage_figures',
    find: (limit) =>
      sql`SELECT ctid FROM storage_figures WHERE day < ${keptSinceDay(DATA.storageFigures.kept)} LIMIT ${limit}`,
  },
  {
    table: 'backups',
    find: (limit) =>
      sql`SELECT ctid FROM backups WHERE started_at < ${keptSince(DATA.storageFigures.kept)} LIMIT ${limit}`,
  },
];

export async function deleteOld({ db }: Pick<Services, 'db'>): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  // oxlint-disable-next-line no-await-in-loop -- one table after the other
  for (const deletion of DELETIONS) deleted[deletion.table] = await deleteInBatches(db, deletion);
  return deleted;
}
