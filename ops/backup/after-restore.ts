import { sql } from 'kysely';
import { openDatabase } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { noteRestore } from '#server/record/after-restore.ts';

interface AfterRestore {
  differences: string[];
  record: 'goes on' | 'waits' | 'empty';
}

/** Migrates, checks the books, and stores the moment, so that the record waits if days of it may be missing. */
export async function finishRestore(databaseUrl: string, moment: Date, hasLogKey: boolean): Promise<AfterRestore> {
  const { db, close } = openDatabase(databaseUrl, { maxConnections: 2, applicationName: 'snapswipe-restore' });
  try {
    const { rows } = await sql<{ recovers: boolean }>`SELECT pg_is_in_recovery() AS recovers`.execute(db);
    if (rows[0]?.recovers)
      throw new Error('PostgreSQL is still on its way to the moment: try again when it has arrived.');
    await migrate(databaseUrl);
    const differences = await findDifferences(db);
    const checkpoint = await db.selectFrom('logCheckpoints').select('size').limit(1).executeTakeFirst();
    const recordWaits = await noteRestore(db, moment, hasLogKey || checkpoint !== undefined);
    const isEmpty = checkpoint === undefined;
    return { differences, record: !recordWaits ? 'goes on' : isEmpty ? 'empty' : 'waits' };
  } finally {
    await close();
  }
}

const RECORD_STEPS: Record<AfterRestore['record'], string[]> = {
  'goes on': [],
  waits: [
    'The public record WAITS: days of it that were published since then are not in this database, and must not be published again',
    '  in another way. Run `npm run restore -- --record <address or file of the last /log/checkpoint>`: it says whether any are',
    '  missing, and lets the record go on if none are. See docs/operate/backup.md.',
  ],
  empty: [
    'The public record WAITS: this database has published nothing, and cannot know whether the site did since then. If the site',
    '  has a /log/checkpoint, it has: see docs/operate/backup.md. If it never published, run `npm run restore -- --record none`.',
  ],
};

export function nextSteps(moment: Date, record: AfterRestore['record']): string[] {
  return [
    `Everything after ${moment.toISOString()} is lost here. What the chain has is not: money paid in or out since then is still there.`,
    'Payouts: the Book on the chain knows what was paid since then. Nobody is paid twice; without a coin, compare by hand first.',
    'Payments that arrived since then: their orders are gone. Look at the admin wallet in an explorer, and refund or repeat them by hand.',
    ...RECORD_STEPS[record],
    'Accounts that were deleted since then are back, and so are rights that were taken from admins: take them away again.',
    'Users whose session began since then have to sign in again. Nobody has to change a password.',
  ];
}
