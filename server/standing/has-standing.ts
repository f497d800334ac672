import type { Db } from '#db/client.ts';

/** Whether the wallet of a user has standing by the last readings of balances (R38). */
export async function hasStanding(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('voterStanding').select('state').where('userId', '=', userId).executeTakeFirst();
  return row?.state === 'standing';
}
