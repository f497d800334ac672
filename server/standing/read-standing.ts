import { sql } from 'kysely';
import { ADVISORY_LOCK_NAMES } from '#db/advisory-locks.ts';
import { conflict } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { closeReading } from './close-day.ts';
import { countVerified } from './count-verified.ts';
import { closeMissedDays, dueReading, planDay, utcDay } from './plan.ts';
import { servedChain } from '../chain-id.ts';
import { readSome, startReading } from './read-balances.ts';

/** The job's interval; a round reads as many balances as the pace allows in that time. */
export const READING_INTERVAL_MS = 5_000;
export const READING_JOB = 'read-standing';

/** One round: plans the day, closes days that were missed, and reads some balances of a reading that is due. */
export async function readStanding(services: Services, now = new Date()): Promise<void> {
  const { db, config } = services;
  await closeMissedDays(db, now);
  await planDay(db, now);
  const due = await dueReading(db, now);
  if (due === null) return;
  if (!due.isStarted) await startReading(db, due, now);
  const isLeft = await readSome(services, due, (config.standingReadsPerSecond * READING_INTERVAL_MS) / 1_000);
  if (!isLeft) await closeReading(db, due, now);
}

/** What the day's readings said. */
async function dayOf({ db }: Services, day: string) {
  return db
    .selectFrom('standingDays')
    .select(['wallets', 'standing', 'unread', 'skipped'])
    .where(sql<boolean>`day = ${day}::date`)
    .executeTakeFirst();
}

/**
 * Both readings at once, for the demo: on a public network nobody may choose their moment.
 * @throws 409 on a public network, when the day was read or skipped already, or while the node is away
 */
export async function readStandingNow(
  services: Services,
): Promise<{ wallets: number; standing: number; unread: number }> {
  const { db, config } = services;
  if (config.network !== 'localnet')
    throw conflict('not_a_demo', 'On a public network the moment of a reading is random: nobody can choose it');
  const now = new Date();
  const day = utcDay(now);
  // The job pauses meanwhile.
  await db.transaction().execute(async (holder) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${ADVISORY_LOCK_NAMES.job(READING_JOB)}, 0))`.execute(
      holder,
    );
    await closeMissedDays(db, now);
    if (await dayOf(services, day)) throw conflict('already_read', 'The balances of today have been read already');
    await planDay(db, now, [now, now]);
    await sql`UPDATE standing_readings SET starts_at = ${now} WHERE day = ${day}::date AND starts_at > ${now}`.execute(
      db,
    );
    await readToTheEnd(services, now);
  });
  await countVerified(services);
  const { wallets = 0, standing = 0, unread = 0, skipped = null } = (await dayOf(services, day)) ?? {};
  if (skipped !== null) throw conflict('skipped', `The day is skipped: ${skipped}`);
  return { wallets, standing, unread };
}

/** The rounds that are left today, without pauses between them; what was read stays when the node goes away. */
async function readToTheEnd(services: Services, now: Date): Promise<void> {
  while (await dueReading(services.db, now)) {
    const { state } = await servedChain(services);
    if (state === 'away') throw conflict('node_away', 'The Sui node does not answer: try again in a moment');
    if (state === 'other') throw conflict('other_chain', 'The Sui node serves another chain: restart the server');
    // oxlint-disable-next-line no-await-in-loop -- one round after the other
    await readStanding(services, now);
  }
}
