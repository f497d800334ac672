import { sql } from 'kysely';
import { applyRhythm } from '#server/figures/standing/apply-rhythm.ts';
import { closeReading } from '#server/figures/standing/close-day.ts';
import { planDay } from '#server/figures/standing/plan.ts';
import { startReading } from '#server/figures/standing/read-balances.ts';
import type { Services } from '#server/kit/services.ts';
import type { Db } from '#db/client.ts';
import { closeUpTo } from '../testing/close.ts';
import { at, dayOf, setClock } from './clock.ts';

const READING_HOURS = [10, 16] as const;

/** The users who hold enough at a reading, as a condition on the row `r` of standing_reads. */
export type Holders = (day: number, reading: 1 | 2) => ReturnType<typeof sql<boolean>>;

async function read(db: Db, day: number, reading: 1 | 2, holders: Holders): Promise<void> {
  const time = at(day, READING_HOURS[reading - 1]);
  await setClock(db, time);
  const due = { day: dayOf(day), reading };
  await startReading(db, due, time);
  // Stands for the responses of a node.
  await sql`UPDATE standing_reads r SET has_enough = ${holders(day, reading)}, attempts = 1
    WHERE r.day = ${dayOf(day)}::date AND r.reading = ${reading}`.execute(db);
  await closeReading(db, due, time);
}

export async function readBalances({ db }: Services, day: number, holders: Holders): Promise<void> {
  await planDay(db, at(day), [at(day, READING_HOURS[0]), at(day, READING_HOURS[1])]);
  await read(db, day, 1, holders);
  await read(db, day, 2, holders);
}

/** Runs the jobs of an evening, and closes the day. */
export async function decide(services: Services, day: number): Promise<void> {
  await setClock(services.db, at(day, 23.5));
  await applyRhythm(services);
  await closeUpTo(services, dayOf(day));
}
