import type { Db } from '#db/client.ts';
import type { Activity } from '#shared/contract/users.ts';

const LIMIT = 200;

/** What was confirmed to a user about money and tokens, newest first (R36). */
export async function listActivity(db: Db, userId: number): Promise<Activity[]> {
  const rows = await db
    .selectFrom('activity')
    .select(['id', 'kind', 'text', 'tokens', 'amountMist', 'digest', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(LIMIT)
    .execute();
  return rows.map((row) => ({
    ...row,
    kind: row.kind as Activity['kind'],
    amountMist: row.amountMist === null ? null : String(row.amountMist),
    createdAt: row.createdAt.toISOString(),
  }));
}
