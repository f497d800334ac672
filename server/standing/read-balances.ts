import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { servedChain } from '../chain-id.ts';
import type { Services } from '../services.ts';
import { isLimited, OtherChainError } from '../sui-client.ts';
import { maxAfter, paceOf, pauseAfter } from './pace.ts';
import type { Reading } from './plan.ts';

const CALL_TIMEOUT_MS = 10_000;
/** Calls at a time: as many as begin within a second, between these bounds. */
const MIN_PARALLEL = 8;
const MAX_PARALLEL = 256;
/** Wallets of one round, whatever its pace: they are kept in memory. */
const MAX_WALLETS = 10_000;
/** A wallet whose balance could not be read this often stays unread. */
const MAX_ATTEMPTS = 3;

/** Time of one round; the job begins one after the other. */
export const ROUND_MS = 10_000;
/** Share of that time in which calls begin; the rest is for statements and for asking which chain the node serves. */
const CALLING = 0.9;

/** Puts every wallet with an undecided vote at a random place (random UUIDs, which cannot be predicted). */
export async function startReading(
  db: Db,
  { day, reading }: Pick<Reading, 'day' | 'reading'>,
  now: Date,
): Promise<void> {
  await longTransaction(db, async (trx) => {
    const { numAffectedRows } = await sql`INSERT INTO standing_reads (day, reading, place, user_id)
      SELECT ${day}::date, ${reading}, row_number() OVER (ORDER BY gen_random_uuid()), c.user_id
      FROM user_stats c JOIN users u ON u.id = c.user_id
      WHERE u.deleted_at IS NULL AND (
        c.last_day >= (SELECT (coalesce(max(decided_until), '-infinity') AT TIME ZONE 'UTC')::date FROM verified_counts)
        OR c.user_id IN (SELECT user_id FROM vote_decisions WHERE state = 'waiting'))`.execute(trx);
    await sql`UPDATE standing_readings SET started_at = ${now}, wallets = ${Number(numAffectedRows ?? 0)}
      WHERE day = ${day}::date AND reading = ${reading} AND started_at IS NULL`.execute(trx);
  });
}

interface Wallet {
  place: number;
  address: string;
}

/** Why a round ends early: the node limits our calls (429), does not answer, or serves another chain. */
type Obstacle = 'limited' | 'away' | 'other';

/** Whether a wallet holds enough now · null: the node cannot say, which counts as an attempt · undefined: it was not asked. */
type Balance = boolean | null | undefined;

interface Round {
  balances: Balance[];
  obstacle: Obstacle | null;
}

const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  limited: 'the Sui node limits our calls (429): the reading of balances slows down',
  away: 'the Sui node does not answer: the reading of balances waits',
  other: 'the Sui node serves another chain: the reading of balances waits',
};

async function readBalance({ sui }: Pick<Services, 'sui'>, owner: string): Promise<bigint> {
  const { balance } = await sui.core.getBalance({ owner, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  return BigInt(balance.balance);
}

const obstacleOf = (error: unknown): Obstacle | null =>
  error instanceof OtherChainError ? 'other' : isLimited(error) ? 'limited' : null;

/**
 * Tells a wallet that cannot be read from a node that is away: by then it reads the balance of the admin's wallet, or
 * not. Failures at the same time share a call.
 */
function createControl(services: Services): () => Promise<Obstacle | null> {
  let present: Promise<Obstacle | null> | null = null;
  const ask = async (): Promise<Obstacle | null> => {
    try {
      await readBalance(services, services.config.adminWallet);
      return null;
    } catch (error) {
      return obstacleOf(error) ?? 'away';
    } finally {
      present = null;
    }
  };
  return () => (present ??= ask());
}

const waitUntil = (ms: number): Promise<void> | null => {
  const left = ms - performance.now();
  return left > 0 ? new Promise((resolve) => void setTimeout(resolve, left)) : null;
};

/** Reads balances at this pace, or in the demo as fast as the node answers, until all are read or an obstacle comes. */
async function readAll(
  services: Services,
  wallets: readonly Wallet[],
  { perSecond, isSpread }: { perSecond: number; isSpread: boolean },
): Promise<Round> {
  const round: Round = { balances: wallets.map(() => undefined), obstacle: null };
  const findObstacle = createControl(services);
  const startedMs = performance.now();
  const left = wallets.entries();
  const readOne = async (index: number, owner: string): Promise<void> => {
    try {
      round.balances[index] = (await readBalance(services, owner)) >= services.config.standingMinMist;
    } catch (error) {
      const obstacle = obstacleOf(error) ?? (await findObstacle());
      if (obstacle === null) round.balances[index] = null;
      else round.obstacle ??= obstacle;
    }
  };
  const work = async (): Promise<void> => {
    for (const [index, { address }] of left) {
      // oxlint-disable-next-line no-await-in-loop -- each of the workers asks for one balance at a time
      if (isSpread) await waitUntil(startedMs + (index * CALLING * 1_000) / perSecond);
      if (round.obstacle !== null || (isSpread && performance.now() > startedMs + ROUND_MS)) return;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await readOne(index, address);
    }
  };
  const workers = Math.min(MAX_PARALLEL, Math.max(MIN_PARALLEL, Math.ceil(perSecond)));
  await Promise.all(Array.from({ length: workers }, work));
  return round;
}

/** How often a round asks again for the chain of a node that limits our calls, before it drops its results. */
const MAX_CONFIRMATIONS = 5;
const CONFIRMATION_PAUSE_MS = 5_000;

/** Null while the node serves our chain. */
async function chainObstacle(services: Services): Promise<Obstacle | null> {
  const served = await servedChain(services);
  if (served.state === 'ours') return null;
  return served.state === 'away' && served.isLimited ? 'limited' : served.state;
}

/** The same after a round, which waits for a node that limits our calls. */
async function chainObstacleAfter(services: Services, isSpread: boolean): Promise<Obstacle | null> {
  for (let tries = 1; ; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    const obstacle = await chainObstacle(services);
    if (obstacle !== 'limited' || !isSpread || tries === MAX_CONFIRMATIONS) return obstacle;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await waitUntil(performance.now() + CONFIRMATION_PAUSE_MS);
  }
}

/**
 * Stores the results of the wallets, except those for which no node of our chain was asked, and what the round has
 * shown about the node.
 */
async function storeRound(
  db: Db,
  due: Reading,
  {
    wallets,
    round: { balances, obstacle },
    perSecond,
    now,
  }: { wallets: readonly Wallet[]; round: Round; perSecond: number; now: Date },
): Promise<void> {
  const { day, reading } = due;
  const asked = wallets.flatMap(({ place }, index) => {
    const balance = balances[index];
    return balance === undefined ? [] : [{ place, balance }];
  });
  const pauseMs = obstacle === null ? 0 : pauseAfter(due.pauseMs, asked.length > 0);
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ read: number }>`
      WITH stored AS (
        UPDATE standing_reads r SET has_enough = x.has_enough, attempts = r.attempts + 1
        FROM unnest(${asked.map(({ place }) => place)}::int[], ${asked.map(({ balance }) => balance)}::boolean[]) AS x (place, has_enough)
        WHERE r.day = ${day}::date AND r.reading = ${reading} AND r.place = x.place RETURNING r.has_enough
      ) SELECT count(has_enough) AS read FROM stored`.execute(trx);
    await sql`UPDATE standing_readings SET wallets_read = wallets_read + ${rows[0]?.read ?? 0}, pause_ms = ${pauseMs},
        paused_until = ${obstacle === null ? null : new Date(now.getTime() + pauseMs)}::timestamptz,
        max_per_second = ${maxAfter(due.maxPerSecond, perSecond, obstacle === 'limited')}
      WHERE day = ${day}::date AND reading = ${reading}`.execute(trx);
  });
}

export interface RoundOptions {
  /** Spreads the calls over the time of the round; else they follow one another at once. */
  isSpread?: boolean;
  /** The node has just said that it serves our chain. */
  isOurs?: boolean;
}

/**
 * Reads the next balances, as many as the pace allows in a round, and stores the results; resolves to whether any are
 * left to read. The node's identity is checked before and after them: while it is down, limits our calls, or serves
 * another chain, no wallet loses an attempt and no result is trusted (R68).
 */
export async function readSome(
  services: Services,
  due: Reading,
  now: Date,
  { isSpread = false, isOurs = false }: RoundOptions = {},
): Promise<boolean> {
  const { db, config, log } = services;
  const { day, reading } = due;
  const perSecond = paceOf(due, now, config.standingReadsPerSecond);
  const limit = Math.min(MAX_WALLETS, Math.ceil((perSecond * ROUND_MS) / 1_000));
  const { rows: wallets } = await sql<Wallet>`
    SELECT r.place, u.wallet_address AS address FROM standing_reads r JOIN users u ON u.id = r.user_id
    WHERE r.day = ${day}::date AND r.reading = ${reading} AND r.has_enough IS NULL AND r.attempts < ${sql.lit(MAX_ATTEMPTS)}
    ORDER BY r.attempts, r.place LIMIT ${limit}`.execute(db);
  if (wallets.length === 0) return false;
  let round: Round = { balances: [], obstacle: isOurs ? null : await chainObstacle(services) };
  if (round.obstacle === null) {
    round = await readAll(services, wallets, { perSecond, isSpread });
    const obstacle = await chainObstacleAfter(services, isSpread);
    if (obstacle !== null) round = { balances: [], obstacle };
  }
  if (round.obstacle !== null) log.warn({ day, reading, perSecond }, OBSTACLES[round.obstacle]);
  await storeRound(db, due, { wallets, round, perSecond, now });
  return true;
}
