import { sql } from 'kysely';
import type { Db } from './client.ts';

export interface Allowance {
  kind: 'archives' | 'open_archive' | 'pictures' | 'push_tests' | 'uploads';
  most: number;
  seconds: number;
}

/** Whole seconds until the whole allowance is back; 0 while part of it is left. */
export async function waitForAllowance(db: Db, userId: number, allowance: Allowance): Promise<number> {
  const { kind, most, seconds } = allowance;
  const { rows } = await sql<{ waitS: number }>`
    SELECT ceil(extract(epoch FROM started_at - now()) + ${seconds}::int)::int AS "waitS" FROM user_allowances
    WHERE user_id = ${userId} AND kind = ${kind} AND used >= ${most}`.execute(db);
  return Math.max(0, rows[0]?.waitS ?? 0);
}

/** Returns false, and uses nothing, when less than `amount` is left. Call under the user's lock. */
export async function useAllowance(trx: Db, userId: number, allowance: Allowance, amount: number): Promise<boolean> {
  const { kind, most, seconds } = allowance;
  const isOver = sql`a.started_at <= now() - ${seconds}::int * interval '1 second'`;
  const { rows } = await sql`
    INSERT INTO user_allowances AS a (user_id, kind, started_at, used) VALUES (${userId}, ${kind}, now(), ${amount})
    ON CONFLICT (user_id, kind) DO UPDATE SET
      started_at = CASE WHEN ${isOver} THEN excluded.started_at ELSE a.started_at END,
      used = CASE WHEN ${isOver} THEN excluded.used ELSE a.used + excluded.used END
    WHERE ${isOver} OR a.used + excluded.used <= ${most}
    RETURNING user_id`.execute(trx);
  return rows.length > 0;
}

export async function useUpAllowance(trx: Db, userId: number, { kind, most }: Allowance): Promise<void> {
  await sql`UPDATE user_allowances SET used = ${most} WHERE user_id = ${userId} AND kind = ${kind}`.execute(trx);
}

export async function endAllowance(db: Db, userId: number, { kind }: Allowance): Promise<void> {
  await sql`UPDATE user_allowances SET used = 0 WHERE user_id = ${userId} AND kind = ${kind}`.execute(db);
}
