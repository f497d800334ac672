import { sql } from 'kysely';
import type { Services } from '#server/kit/services.ts';
import { type Db, openDatabase } from '#db/client.ts';
import { type SimulatedTable, STRATEGY_IDS } from './results.ts';
import { openServices } from '../services.ts';
import { act } from './attack.ts';
import { readBoard } from './board.ts';
import { at, installClock, LAST_DAY, setClock } from './clock.ts';
import { decide, type Holders, readBalances } from './day.ts';
import { lookAtHonest, readByFailingNode } from './failing-node.ts';
import { activeProjects, fieldOf, listOwn, neededAtMost, NO_ROW } from './field.ts';
import { ORDERS_OF_A_DAY } from './goals.ts';
import { confirmAsFriends, lookAtFriends, rename, RENAMES } from './identity.ts';
import { emptyRow, look, lookAtDecisions, lookAtTen, type Rows } from './look.ts';
import type { Attack } from './plan.ts';
import { ATTACK_DAY, ATTACKS, CONFIRMATION_DAY, GAP_DAY, UPDATE_SUI } from './strategies.ts';
import { HONEST_DAYS, honestHolds, seedCrowdWorld, seedDemoWorld } from './world.ts';

/** Days on which the orders are measured: around the votes of the attacks, and the last one, when all is decided. */
const DAYS_OF_LOOKS = new Set([0, ATTACK_DAY, ATTACK_DAY + 1, ATTACK_DAY + 2, HONEST_DAYS - 1, 44, GAP_DAY, LAST_DAY]);

/** Decides and counts everything from before day 0, and sets up the attacks. `own` is the listing of an attacker. */
async function prepare(services: Services, seed: number): Promise<{ attacks: Attack[]; own: number }> {
  const { db } = services;
  await sql`CREATE TABLE simulation.attackers (strategy text, place int, coin int, user_id bigint PRIMARY KEY)`.execute(
    db,
  );
  await sql`CREATE TABLE simulation.payouts (user_id bigint PRIMARY KEY, strategy text, snaps bigint)`.execute(db);
  await sql`CREATE SEQUENCE simulation.wallets`.execute(db);
  await decide(services, -1);
  const board = await readBoard(services, new Map());
  const field = fieldOf(board, await activeProjects(db), seed);
  await setClock(db, at(0, 0.5));
  const own = await listOwn(db);
  const withOwn = new Map(board).set(own, { ...NO_ROW, id: own, createdAt: at(0).toISOString() });
  const ownField = { ...field, board: withOwn, target: own };
  const [needed, neededForOwn] = [neededAtMost(field), neededAtMost(ownField)];
  const attacks = ATTACKS.map((strategy) => {
    const isOwn = strategy.id === 'listing';
    const wallets = strategy.wallets(isOwn ? neededForOwn : needed);
    return {
      strategy,
      field: isOwn ? ownField : field,
      wallets,
      userIds: [],
      bystanders: [],
      harmed: new Set<number>(),
    };
  });
  return { attacks, own };
}

const holdersOf =
  (attacks: readonly Attack[], seed: number): Holders =>
  (day, reading) => {
    const holding = attacks.flatMap(({ strategy, userIds }) =>
      userIds.filter((_, place) => strategy.coinOf(place) !== null && strategy.holds(place, day, reading)),
    );
    const failing = attacks.filter(({ strategy }) => strategy.id === 'failing_node');
    const read = failing.map((attack) => readByFailingNode(attack, day, reading));
    const unanswered = read.flatMap((one) => one.unanswered);
    holding.push(...read.flatMap((one) => one.holding));
    return sql<boolean>`CASE WHEN r.user_id = ANY (${unanswered}::bigint[]) THEN NULL
      ELSE r.user_id = ANY (${holding}::bigint[]) OR ${honestHolds(seed, day)} END`;
  };

/** Honest wallets, without those that accompanied attacks. */
async function sizeOf(db: Db, own: number): Promise<Pick<SimulatedTable, 'projects' | 'voters' | 'votes'>> {
  const { rows } = await sql<{ projects: number; voters: number; votes: number }>`
    SELECT (SELECT count(*)::int FROM projects WHERE id <> ${own}) AS projects, count(DISTINCT user_id)::int AS voters, count(*)::int AS votes
    FROM votes JOIN simulation.honest USING (user_id)`.execute(db);
  return rows[0] ?? { projects: 0, voters: 0, votes: 0 };
}

async function evening(services: Services, attacks: readonly Attack[], rows: Rows, day: number): Promise<void> {
  await decide(services, day);
  await lookAtTen(services, rows);
  for (const attack of attacks) if (attack.strategy.id === 'failing_node') await lookAtHonest(services.db, attack, day);
  if (!DAYS_OF_LOOKS.has(day)) return;
  const isLast = day === LAST_DAY;
  const orders = isLast ? (['verified', 'lasting'] as const) : ORDERS_OF_A_DAY;
  // Without honest votes a rise in 'Trending' has no competition.
  const looked = day < HONEST_DAYS ? orders : orders.filter((order) => order !== 'trending');
  await look(services, attacks, { rows, orders: looked, day });
  const changing = isLast ? (['lasting'] as const) : ORDERS_OF_A_DAY;
  const friends = attacks.find(({ strategy }) => strategy.id === 'friends');
  if (friends && (day === CONFIRMATION_DAY || isLast)) {
    if (!isLast) await confirmAsFriends(services, friends, day);
    Object.assign(rows.get('friends')?.goals ?? {}, await lookAtFriends(services, friends, changing, day));
  }
  if (day !== ATTACK_DAY && !isLast) return;
  for (const strategy of RENAMES)
    Object.assign(rows.get(strategy)?.goals ?? {}, await rename(services, strategy, changing, day));
}

async function runAttacks(services: Services, { world, seed, onProgress }: WorldOptions): Promise<SimulatedTable> {
  const { attacks, own } = await prepare(services, seed);
  const rows: Rows = new Map(
    attacks.map(({ strategy, wallets }) => [strategy.id, emptyRow(strategy.id, wallets, strategy.spentSui)]),
  );
  for (const strategy of RENAMES) rows.set(strategy, emptyRow(strategy, 0, UPDATE_SUI));
  const holders = holdersOf(attacks, seed);
  for (let day = 0; day <= LAST_DAY; day += 1) {
    onProgress(`day ${day} of ${LAST_DAY}`);
    await readBalances(services, day, holders);
    for (const attack of attacks) await act(services, attack, day);
    await evening(services, attacks, rows, day);
  }
  await lookAtDecisions(services, attacks, rows);
  const size = await sizeOf(services.db, own);
  return { world, seed, ...size, days: LAST_DAY + 1, rows: STRATEGY_IDS.flatMap((id) => rows.get(id) ?? []) };
}

interface WorldOptions {
  world: SimulatedTable['world'];
  seed: number;
  /** Size of a crowd. */
  voters: number;
  projects: number;
  onProgress: (text: string) => void;
}

/**
 * Makes a world in a migrated, empty database, and runs all attacks on it at the same time, day after day, with the
 * product's own closing, deciding, counting and ordering. They do not affect each other: an attack is measured on the
 * board without the votes of all others.
 */
export async function simulate(databaseUrl: string, options: WorldOptions): Promise<SimulatedTable> {
  const { db, close } = openDatabase(databaseUrl, { maxConnections: 1 });
  const url = await installClock(db, databaseUrl);
  await close();
  const { services, close: closeServices } = await openServices(url);
  try {
    options.onProgress('making the world');
    await (options.world === 'demo' ? seedDemoWorld(services.db) : seedCrowdWorld(services.db, options));
    return await runAttacks(services, options);
  } finally {
    await closeServices();
  }
}
