import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { servedChain } from '../chain-id.ts';
import type { Services } from '../services.ts';
import { OtherChainError } from '../sui-client.ts';
import type { Reading } from './plan.ts';

const CALL_TIMEOUT_MS = 10_000;
/** Balances that are requested at a time. */
const PARALLEL = 8;
/** A wallet whose balance could not be read this often stays unread. */
const MAX_ATTEMPTS = 3;

/** Puts every wallet with an undecided vote at a random place (random UUIDs, which cannot be predicted). */
export async function startReading(db: Db, { day, reading }: Reading, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
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

/**
 * Whether a wallet holds enough now · null: the node does not know, which counts as an attempt · undefined: no node of
 * our chain was asked.
 */
type Balance = boolean | null | undefined;

async function hasEnough({ sui, config }: Pick<Services, 'sui' | 'config'>, owner: string): Promise<Balance> {
  try {
    const { balance } = await sui.core.getBalance({ owner, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
    return BigInt(balance.balance) >= config.standingMinMist;
  } catch (error) {
    return error instanceof OtherChainError ? undefined : null;
  }
}

async function readAll(services: Services, wallets: readonly Wallet[]): Promise<Balance[]> {
  const results: Balance[] = wallets.map(() => undefined);
  const left = wallets.entries();
  const work = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- each of the workers asks for one balance at a time
    for (const [index, { address }] of left) results[index] = await hasEnough(services, address);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return results;
}

/** Whether the node serves our chain now; the log has the reason if not. */
async function isChainThere(services: Services, { day, reading }: Reading): Promise<boolean> {
  const { state } = await servedChain(services);
  if (state !== 'ours')
    services.log.warn(
      { day, reading },
      state === 'away'
        ? 'the Sui node does not answer: the reading of balances waits'
        : 'the Sui node serves another chain: the reading of balances waits',
    );
  return state === 'ours';
}

/** Stores the results of the wallets, except those for which no node of our chain was asked. */
async function storeBalances(
  db: Db,
  { day, reading }: Reading,
  wallets: readonly Wallet[],
  balances: readonly Balance[],
): Promise<void> {
  const read = wallets.flatMap(({ place }, index) => {
    const balance = balances[index];
    return balance === undefined ? [] : [{ place, balance }];
  });
  await sql`UPDATE standing_reads r SET has_enough = x.has_enough, attempts = r.attempts + 1
    FROM unnest(${read.map(({ place }) => place)}::int[], ${read.map(({ balance }) => balance)}::boolean[]) AS x (place, has_enough)
    WHERE r.day = ${day}::date AND r.reading = ${reading} AND r.place = x.place`.execute(db);
}

/**
 * Reads the next balances, at most `limit`, and stores the results; resolves to whether any are left to read. The
 * node's identity is checked before and after them: while it is down, or serves another chain, no wallet loses an
 * attempt and no result is trusted (R68).
 */
export async function readSome(services: Services, due: Reading, limit: number): Promise<boolean> {
  const { day, reading } = due;
  const { rows: wallets } = await sql<Wallet>`
    SELECT r.place, u.wallet_address AS address FROM standing_reads r JOIN users u ON u.id = r.user_id
    WHERE r.day = ${day}::date AND r.reading = ${reading} AND r.has_enough IS NULL AND r.attempts < ${sql.lit(MAX_ATTEMPTS)}
    ORDER BY r.attempts, r.place LIMIT ${limit}`.execute(services.db);
  if (wallets.length === 0) return false;
  if (!(await isChainThere(services, due))) return true;
  const balances = await readAll(services, wallets);
  if (await isChainThere(services, due)) await storeBalances(services.db, due, wallets, balances);
  return true;
}
