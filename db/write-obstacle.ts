import { sql } from 'kysely';
import type { Db } from './client.ts';

/** SQLSTATEs of a full disk, of a server that takes no writes, such as a primary that has become a replica, and of a failing disk. */
const CANNOT_WRITE = /^(?:53100|25006|58030)$/;

/**
 * Reason why nothing can be written, or null. Creates a table, which needs a new page: existing tables may still have room on a full disk.
 * An error of another kind says nothing about that.
 */
export async function findWriteObstacle(db: Db): Promise<string | null> {
  try {
    await db.transaction().execute((trx) => sql`CREATE TEMP TABLE write_probe ON COMMIT DROP AS SELECT 1`.execute(trx));
    return null;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    return CANNOT_WRITE.test(code) ? message : null;
  }
}
