import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import type { Services } from '#server/kit/services.ts';
import { askWallets, OBSTACLES, type Round, ROUND_MS, type RoundOptions } from './ask-wallets.ts';
import { paceColumns, paceOf } from './pace.ts';
import type { Reading } from './plan.ts';

const CALL_TIMEOUT_MS = 10_000;
const MAX_WALLETS = 10_000;
export const MAX_ATTEMPTS = 3;

/** Users with an undecided vote, by its day; needs `user_stats` as c and `users` as u. */
const isUndecided = (day: string) => sql`u.deleted_at IS NULL AND c.last_day > coalesce(
  (SELECT s.decided_until FROM voter_standing s WHERE s.user_id = c.user_id), ${day}::date - ${sql.lit(STANDING_VOTER_DAYS + 1)})`;

export async function startReading(
  db: Db,
  { day, reading }: Pick<Reading, 'day' | 'reading'>,
  now: Date,
): Promise<void> {
  await longTransaction(db, async (trx) => {
    const { numAffectedRows } = await sql`INSERT INTO standing_reads (day, reading, place, user_id)
      SELECT ${day}::date, ${reading}, row_number() OVER (ORDER BY gen_random_uuid()), c.user_id
      FROM user_stats c JOIN users u ON u.id = c.user_id WHERE ${isUndecided(day)}`.execute(trx);
    await sql`UPDATE standing_readings SET started_at = ${now}, wallets = ${Number(numAffectedRows ?? 0)}
      WHERE day = ${day}::date AND reading = ${reading} AND started_at IS NULL`.execute(trx);
  });
}

interface Wallet {
  place: number;
  address: string;
}

async function hasEnough({ sui, config }: Services, owner: string): Promise<boolean> {
  const { balance } = await sui.core.getBalance({ owner, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  return BigInt(balance.balance) >= config.standingMinMist;
}

async function storeRound(
  db: Db,
  due: Reading,
  {
    wallets,
    round,
    perSecond,
    now,
  }: { wallets: readonly Wallet[]; round: Round<boolean>; perSecond: number; now: Date },
): Promise<void> {
  const { day, reading } = due;
  const asked = wallets.flatMap(({ place }, index) => {
    const balance = round.results[index];
    return balance === undefined ? [] : [{ place, balance }];
  });
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ read: number }>`
      WITH stored AS (
        UPDATE standing_reads r SET has_enough = x.has_enough, attempts = r.attempts + 1
        FROM unnest(${asked.map(({ place }) => place)}::int[], ${asked.map(({ balance }) => balance)}::boolean[]) AS x (place, has_enough)
        WHERE r.day = ${day}::date AND r.reading = ${reading} AND r.place = x.place RETURNING r.has_enough
      ) SELECT count(has_enough) AS read FROM stored`.execute(trx);
    await sql`UPDATE standing_readings SET wallets_read = wallets_read + ${rows[0]?.read ?? 0}, ${paceColumns(due, round, perSecond, now)}
      WHERE day = ${day}::date AND reading = ${reading}`.execute(trx);
  });
}

export async function readSome(
  services: Services,
  due: Reading,
  now: Date,
  options: RoundOptions = {},
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
  const addresses = wallets.map(({ address }) => address);
  const round = await askWallets(services, addresses, { ...options, perSecond }, (owner) => hasEnough(services, owner));
  if (round.obstacle !== null) log.warn({ day, reading, perSecond }, OBSTACLES[round.obstacle]);
  await storeRound(db, due, { wallets, round, perSecond, now });
  return true;
}
