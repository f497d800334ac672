import { sql } from 'kysely';
import type { Services } from '#server/kit/services.ts';
import { type Db, openDatabase } from '#db/client.ts';
import { openServices } from '../services.ts';
import { act, holdingAt } from './attack.ts';
import { at, installClock, isSunday, LAST_DAY, setClock } from './clock.ts';
import { decide, type Holders, readBalances } from './day.ts';
import { BYSTANDERS, harmedOf, inviteBystanders, readByFailingNode } from './failing-node.ts';
import { chooseField } from './field.ts';
import { emptyResults, lookAtTen } from './look.ts';
import { type Attack, planAttacks } from './patterns.ts';
import type { SimulatedTable } from './results.ts';
import { honestHolds, seedCrowdWorld, seedDemoWorld } from './world.ts';

/** The first Sunday that looks at all who arrived in the week before it. */
const FIRST_SUNDAY = 13;

const holdersOf =
  (attacks: readonly Attack[], bystanders: readonly number[], seed: number): Holders =>
  (day, reading) => {
    const { unanswered, holding } = readByFailingNode(bystanders, seed, day, reading);
    holding.push(...holdingAt(attacks, day, reading));
    return sql<boolean>`CASE WHEN r.user_id = ANY (${unanswered}::bigint[]) THEN NULL
      ELSE r.user_id = ANY (${holding}::bigint[]) OR ${honestHolds(seed, day)} END`;
  };

async function sizeOf(db: Db): Promise<Pick<SimulatedTable, 'projects' | 'voters' | 'votes'>> {
  const { rows } = await sql<{ projects: number; voters: number; votes: number }>`
    SELECT (SELECT count(*)::int FROM projects) AS projects, count(DISTINCT user_id)::int AS voters, count(*)::int AS votes
    FROM votes JOIN simulation.honest USING (user_id)`.execute(db);
  return rows[0] ?? { projects: 0, voters: 0, votes: 0 };
}

async function runAttacks(services: Services, { world, seed, onProgress }: WorldOptions): Promise<SimulatedTable> {
  const { db } = services;
  await sql`CREATE TABLE simulation.attackers (attack int, place int, coin int, user_id bigint PRIMARY KEY, is_paid boolean NOT NULL DEFAULT false)`.execute(
    db,
  );
  await sql`CREATE SEQUENCE simulation.wallets`.execute(db);
  onProgress('closing the days before');
  await decide(services, -1);
  const field = await chooseField(db);
  const bystanders = await inviteBystanders(db, field);
  const attacks = planAttacks();
  const results = emptyResults();
  const holders = holdersOf(attacks, bystanders, seed);
  const harmed = new Set<number>();
  for (let day = 0; day <= LAST_DAY; day += 1) {
    onProgress(`day ${day} of ${LAST_DAY}`);
    await readBalances(services, day, holders);
    await act(db, attacks, field, seed, day);
    // In real weeks autovacuum would do this before a Sunday decides about new voters.
    if (isSunday(day)) await sql`ANALYZE votes, voter_standing`.execute(db);
    await decide(services, day);
    await lookAtTen(services, attacks, { results, field, day });
    if (isSunday(day) && day >= FIRST_SUNDAY) for (const id of await harmedOf(db, bystanders)) harmed.add(id);
  }
  return {
    world,
    seed,
    ...(await sizeOf(db)),
    days: LAST_DAY + 1,
    ...results,
    bystanders: BYSTANDERS,
    harmed: harmed.size,
  };
}

interface WorldOptions {
  world: SimulatedTable['world'];
  seed: number;
  voters: number;
  projects: number;
  onProgress: (text: string) => void;
}

/**
 * Makes a world in a migrated, empty database, and runs all attacks on it at the same time, day after day, with the
 * product's own reading, closing and deciding. They do not affect each other.
 */
export async function simulate(databaseUrl: string, options: WorldOptions): Promise<SimulatedTable> {
  const { db, close } = openDatabase(databaseUrl, { maxConnections: 1 });
  const url = await installClock(db, databaseUrl);
  await close();
  const { services, close: closeServices } = await openServices(url);
  try {
    options.onProgress('making the world');
    await setClock(services.db, at(0));
    await (options.world === 'demo' ? seedDemoWorld(services.db) : seedCrowdWorld(services.db, options));
    return await runAttacks(services, options);
  } finally {
    await closeServices();
  }
}
