import { sql } from 'kysely';
import { ADVISORY_LOCK_NAMES } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';
import { conflict } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { closeReading } from './close-day.ts';
import { closeMissedDays, dueReading, hasWork, planDay, type Reading, reopenDays, utcDay } from './plan.ts';
import { servedChain } from '#server/chain/chain-id.ts';
import { ROUND_MS, type RoundOptions } from './ask-wallets.ts';
import { readSome, startReading } from './read-balances.ts';

export const READING_INTERVAL_MS = ROUND_MS;
export const READING_JOB = 'read-standing';

const MAX_APART_MS = 3_600_000;

/** Null while no node of our chain reports. */
async function isClockRight(services: Services, now: Date): Promise<boolean | null> {
  const served = await servedChain(services);
  if (served.state !== 'ours' || served.timeMs === null) return null;
  const apartMs = now.getTime() - served.timeMs;
  if (Math.abs(apartMs) <= MAX_APART_MS) return true;
  services.log.warn({ apartMs }, 'the clocks of server and chain differ: nothing is read, and no day is closed');
  return false;
}

/**
 * A clock that jumped plans, reads and closes nothing, because evidence of a wrong day could not be revoked. Days that it closed while the
 * node was down are reopened.
 */
export async function readStandingByClock(services: Services): Promise<void> {
  const { db } = services;
  const now = new Date();
  if (!(await hasWork(db, now))) return;
  const isRight = await isClockRight(services, now);
  if (isRight === false) return;
  if (isRight) await reopenDays(db, now);
  await readStanding(services, now, { isSpread: true, isOurs: isRight ?? false });
}

export async function readStanding(services: Services, now: Date, options: RoundOptions = {}): Promise<void> {
  const { db } = services;
  await closeMissedDays(db, now);
  await planDay(db, now);
  const due = await startedReading(db, now);
  if (due === null) return;
  const isLeft = await readSome(services, due, now, options);
  if (!isLeft) await closeReading(db, due, now);
}

async function startedReading(db: Db, now: Date): Promise<Reading | null> {
  const due = await dueReading(db, now);
  if (due === null || due.startedAt !== null) return due;
  await startReading(db, due, now);
  return dueReading(db, now);
}

async function dayOf({ db }: Services, day: string) {
  return db
    .selectFrom('standingDays')
    .select(['wallets', 'standing', 'unread', 'skipped'])
    .where(sql<boolean>`day = ${day}::date`)
    .executeTakeFirst();
}

/**
 * Both readings at once, for the demo: on a public network their moments must not be chosen.
 * @throws 409 on a public network, when the day was read or skipped, or while the node is down
 */
export async function readStandingNow(
  services: Services,
): Promise<{ wallets: number; standing: number; unread: number }> {
  const { db, config } = services;
  if (config.network !== 'localnet')
    throw conflict(
      'not_a_demo',
      'On a public network balances are read at random times; a reading cannot be started by hand',
    );
  const now = new Date();
  const day = utcDay(now);
  await db.transaction().execute(async (holder) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${ADVISORY_LOCK_NAMES.job(READING_JOB)}, 0))`.execute(
      holder,
    );
    await closeMissedDays(db, now);
    if (await dayOf(services, day)) throw conflict('already_read', "Today's balances have already been read");
    await planDay(db, now, [now, now]);
    await sql`UPDATE standing_readings SET starts_at = ${now} WHERE day = ${day}::date AND starts_at > ${now}`.execute(
      db,
    );
    await readToTheEnd(services, now);
  });
  const { wallets = 0, standing = 0, unread = 0, skipped = null } = (await dayOf(services, day)) ?? {};
  if (skipped !== null) throw conflict('skipped', `The day is skipped: ${skipped}`);
  return { wallets, standing, unread };
}

async function readToTheEnd(services: Services, now: Date): Promise<void> {
  while (await dueReading(services.db, now)) {
    const { state } = await servedChain(services);
    if (state === 'away') throw conflict('node_away', 'The Sui node does not respond. Try again in a moment');
    if (state === 'other') throw conflict('other_chain', 'The Sui node serves another chain. Restart the server');
    // oxlint-disable-next-line no-await-in-loop -- one round after the other
    await readStanding(services, now);
  }
}
