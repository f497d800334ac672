import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import type { Services } from '../services.ts';
import type { Reading } from './plan.ts';

const CALL_TIMEOUT_MS = 10_000;
/** Balances that are asked for at a time. */
const PARALLEL = 8;
/** A wallet whose balance could not be read so often stays unread. */
const MAX_ATTEMPTS = 3;

/** Puts every wallet that voted in the last 35 days at a random place (random UUIDs, which nobody can foresee). */
export async function startReading(db: Db, { day, reading }: Reading, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await sql`INSERT INTO standing_reads (day, reading, place, user_id)
      SELECT ${day}::date, ${reading}, row_number() OVER (ORDER BY gen_random_uuid()), user_id FROM user_stats
      WHERE last_day > ${day}::date - ${sql.lit(STANDING_VOTER_DAYS)}`.execute(trx);
    await sql`UPDATE standing_readings SET started_at = ${now}, wallets = ${Number(numAffectedRows ?? 0)}
      WHERE day = ${day}::date AND reading = ${reading} AND started_at IS NULL`.execute(trx);
  });
}

interface Wallet {
  place: number;
  address: string;
}

/** Whether a wallet holds enough now; null when the node does not say. */
async function hasEnough({ sui, config }: Pick<Services, 'sui' | 'config'>, owner: string): Promise<boolean | null> {
  try {
    const { balance } = await sui.core.getBalance({ owner, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
    return BigInt(balance.balance) >= config.standingMinMist;
  } catch {
    return null;
  }
}

/** Whether the node answers, and serves the chain that this server knows. */
export async function isNodeThere({ sui, chainId }: Pick<Services, 'sui' | 'chainId'>): Promise<boolean> {
  try {
    const { chainIdentifier } = await sui.core.getChainIdentifier({ signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
    return chainId === null || chainIdentifier === chainId;
  } catch {
    return false;
  }
}

async function readAll(services: Services, wallets: readonly Wallet[]): Promise<Array<boolean | null>> {
  const results: Array<boolean | null> = wallets.map(() => null);
  const left = wallets.entries();
  const work = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- each of the workers asks for one balance at a time
    for (const [index, { address }] of left) results[index] = await hasEnough(services, address);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return results;
}

/**
 * Reads the next balances, at most `limit`, and stores what they say; resolves to whether any are left to read. A node that is away, or
 * serves another chain, costs no wallet an attempt.
 */
export async function readSome(services: Services, { day, reading }: Reading, limit: number): Promise<boolean> {
  const { rows: wallets } = await sql<Wallet>`
    SELECT r.place, u.wallet_address AS address FROM standing_reads r JOIN users u ON u.id = r.user_id
    WHERE r.day = ${day}::date AND r.reading = ${reading} AND r.has_enough IS NULL AND r.attempts < ${sql.lit(MAX_ATTEMPTS)}
    ORDER BY r.attempts, r.place LIMIT ${limit}`.execute(services.db);
  if (wallets.length === 0) return false;
  if (!(await isNodeThere(services))) {
    services.log.warn({ day, reading }, 'the Sui node does not answer: the reading of balances waits');
    return true;
  }
  const results = await readAll(services, wallets);
  await sql`UPDATE standing_reads r SET has_enough = x.has_enough, attempts = r.attempts + 1
    FROM unnest(${wallets.map(({ place }) => place)}::int[], ${results}::boolean[]) AS x (place, has_enough)
    WHERE r.day = ${day}::date AND r.reading = ${reading} AND r.place = x.place`.execute(services.db);
  return true;
}
