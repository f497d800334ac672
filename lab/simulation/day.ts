import { sql } from 'kysely';
import { applyRhythm } from '#server/figures/standing/apply-rhythm.ts';
import { closeReading } from '#server/figures/standing/close-day.ts';
import { countVerified } from '#server/figures/standing/count-verified.ts';
import { decideVotes } from '#server/figures/standing/decide-votes.ts';
import { planDay } from '#server/figures/standing/plan.ts';
import { startReading } from '#server/figures/standing/read-balances.ts';
import type { Services } from '#server/kit/services.ts';
import type { Db } from '#db/client.ts';
import { at, dayOf, setClock } from './clock.ts';

/** Times of both readings of a simulated day. */
const READING_HOURS = [10, 16] as const;

/** Services of a server that the product needs here; there is no chain and no page. */
export type SimulatedServices = Pick<Services, 'db' | 'replica' | 'cache' | 'config' | 'log' | 'undoWindowMs'> &
  Pick<Services, 'sui' | 'chainId'>;

/** The users who hold enough at a reading, as a condition on the row `r` of standing_reads. */
export type Holders = (day: number, reading: 1 | 2) => ReturnType<typeof sql<boolean>>;

async function read(db: Db, day: number, reading: 1 | 2, holders: Holders): Promise<void> {
  const time = at(day, READING_HOURS[reading - 1]);
  await setClock(db, time);
  const due = { day: dayOf(day), reading };
  await startReading(db, due, time);
  // The responses that a node would have given.
  await sql`UPDATE standing_reads r SET has_enough = ${holders(day, reading)}, attempts = 1
    WHERE r.day = ${dayOf(day)}::date AND r.reading = ${reading}`.execute(db);
  await closeReading(db, due, time);
}

/** Runs both readings of a day with these balances, by the code of the product. */
export async function readBalances({ db }: SimulatedServices, day: number, holders: Holders): Promise<void> {
  const [first, second] = READING_HOURS.map((hour) => at(day, hour));
  await planDay(db, at(day), first && second ? [first, second] : null);
  await read(db, day, 1, holders);
  await read(db, day, 2, holders);
}

/** Runs the jobs of the evening of a day: decisions, and the comparison of rhythms of the day before. */
export async function decide(services: SimulatedServices, day: number): Promise<void> {
  const time = at(day, 23.5);
  await setClock(services.db, time);
  await applyRhythm(services);
  await decideVotes(services, { now: time });
}

/** The counters of all orders, as the jobs count them. */
export async function count(services: SimulatedServices): Promise<void> {
  await countVerified(services);
  await sql`SELECT count_trends()`.execute(services.db);
}
