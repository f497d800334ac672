import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { RETENTION } from '#shared/retention.ts';
import { HOLDER_DAYS } from '#shared/states/votes.ts';
import { newestOpinions, opinionsOf } from '#server/books/opinions.ts';
import type { Services } from '#server/kit/services.ts';
import { askWallets, OBSTACLES, type Round, ROUND_MS, type RoundOptions } from '../standing/ask-wallets.ts';
import { paceColumns, unhurriedPace } from '../standing/pace.ts';
import { dueReading, utcDay } from '../standing/plan.ts';
import { CALL_TIMEOUT_MS, isUndecided, MAX_ATTEMPTS } from '../standing/read-balances.ts';
import { coinKey, findCoins, isRead, readDecimals, type WatchedCoins } from './coins.ts';
import { countFigures } from './count-figures.ts';

/*
 * Reads which voters hold the coins of the projects that they voted on, on the first seven days that the site read after the vote (R73). Follows the readings of standing of its day and pauses while
 * one is due. Wallets left when the next day has been read stay unread that day.
 */

const PAGE_COINS = 1_000;
const MAX_WALLETS = 2_500;
const STORED_AT_ONCE = 200;

interface HolderReading {
  day: string;
  wallets: number;
  maxPerSecond: number | null;
  pauseMs: number;
  isPaused: boolean;
}

async function newestDay(db: Db, now: Date): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`SELECT max(day)::text AS day FROM standing_days
    WHERE skipped IS NULL AND day BETWEEN ${utcDay(now)}::date - 1 AND ${utcDay(now)}::date`.execute(db);
  return rows[0]?.day ?? null;
}

async function openReading(db: Db, now: Date): Promise<HolderReading | null> {
  const { rows } = await sql<HolderReading>`
    SELECT day::text AS day, wallets, max_per_second AS "maxPerSecond", pause_ms AS "pauseMs", coalesce(paused_until > ${now}, false) AS "isPaused"
    FROM holder_readings WHERE finished_at IS NULL ORDER BY holder_readings.day LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/** The day of the direction of the opinion `v` on the project `p`, or the day on which its coin was set. */
const since = sql`greatest((v.turned_at AT TIME ZONE 'UTC')::date, p.coin_set_on)`;

/** The earliest `since` that has no more than seven days read after it up to this one. */
const earliest = (day: string) => sql`coalesce((SELECT r.day FROM holder_readings r WHERE r.day < ${day}::date
  ORDER BY r.day DESC OFFSET ${sql.lit(HOLDER_DAYS - 1)} LIMIT 1), '-infinity')`;

async function startReading(db: Db, day: string): Promise<void> {
  await longTransaction(db, async (trx) => {
    await sql`DELETE FROM holder_reads`.execute(trx);
    const { numAffectedRows } = await sql`INSERT INTO holder_reads (place, user_id)
      SELECT row_number() OVER (ORDER BY gen_random_uuid()), c.user_id
      FROM user_stats c JOIN users u ON u.id = c.user_id
      WHERE ${isUndecided} AND EXISTS (
        SELECT FROM ${opinionsOf(sql`c.user_id`)} v JOIN projects p ON p.id = v.project_id
        WHERE ${isRead} AND ${since} >= ${earliest(day)})`.execute(trx);
    await sql`INSERT INTO holder_readings (day, wallets, max_per_second)
      SELECT ${day}::date, ${Number(numAffectedRows ?? 0)},
        (SELECT max_per_second FROM standing_readings WHERE day = ${day}::date AND reading = 2)
      ON CONFLICT DO NOTHING`.execute(trx);
    await sql`DELETE FROM holder_readings WHERE day < ${day}::date - ${RETENTION.readings.kept.days}::int`.execute(trx);
  });
}

interface Held {
  projectIds: number[];
  /** The page had all coins of the wallet, so a missing coin is not held. */
  isComplete: boolean;
}

async function readHeld({ sui }: Services, owner: string, coins: WatchedCoins): Promise<Held> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const { balances, hasNextPage } = await sui.core.listBalances({ owner, limit: PAGE_COINS, signal });
  const projectIds = balances.flatMap(({ coinType, balance }) =>
    (coins.get(coinKey(coinType)) ?? []).flatMap(({ projectId, units }) =>
      BigInt(balance) >= units ? [projectId] : [],
    ),
  );
  return { projectIds, isComplete: !hasNextPage };
}

interface Answer extends Held {
  userId: number;
}

async function storeHeld(
  db: Db,
  day: string,
  projectIds: readonly number[],
  answers: readonly Answer[],
): Promise<void> {
  const held = answers.flatMap(({ userId, projectIds: of }) => of.map((projectId) => ({ userId, projectId })));
  const isSame = sql`(s.bullish = excluded.bullish AND s.since >= (SELECT coin_set_on FROM projects p WHERE p.id = s.project_id))`;
  await sql`
    WITH answered AS (
      DELETE FROM holder_reads r USING unnest(${answers.map(({ userId }) => userId)}::bigint[],
        ${answers.map(({ isComplete }) => isComplete)}::boolean[]) AS x (user_id, is_complete)
      WHERE r.user_id = x.user_id RETURNING x.user_id, x.is_complete
    )
    INSERT INTO holder_standing AS s (project_id, user_id, bullish, since, read_on, days_read, days_held)
    SELECT v.project_id, a.user_id, v.bullish, ${since}, ${day}::date, 1, (h.user_id IS NOT NULL)::int
    FROM answered a
    CROSS JOIN LATERAL (SELECT * FROM ${newestOpinions(sql`a.user_id`)} o WHERE project_id = ANY (${[...projectIds]}::int[])) v
    JOIN projects p ON p.id = v.project_id
    LEFT JOIN unnest(${held.map(({ userId }) => userId)}::bigint[], ${held.map(({ projectId }) => projectId)}::int[]) AS h (user_id, project_id)
      ON h.user_id = a.user_id AND h.project_id = v.project_id
    WHERE (a.is_complete OR h.user_id IS NOT NULL) AND ${since} >= ${earliest(day)} AND ${since} < ${day}::date
    ORDER BY 1, 2
    ON CONFLICT (project_id, user_id) DO UPDATE SET bullish = excluded.bullish, read_on = excluded.read_on, fixed_on = NULL,
      since = CASE WHEN ${isSame} THEN s.since ELSE excluded.since END,
      days_read = CASE WHEN ${isSame} THEN s.days_read ELSE 0 END + 1,
      days_held = CASE WHEN ${isSame} THEN s.days_held ELSE 0 END + excluded.days_held
    WHERE s.read_on < excluded.read_on AND NOT (${isSame} AND s.fixed_on IS NOT NULL)`.execute(db);
}

async function storeUnread(db: Db, userIds: readonly number[]): Promise<void> {
  const isOneOf = sql`user_id = ANY (${[...userIds]}::bigint[])`;
  await sql`DELETE FROM holder_reads WHERE ${isOneOf} AND attempts + 1 >= ${sql.lit(MAX_ATTEMPTS)}`.execute(db);
  await sql`UPDATE holder_reads SET attempts = attempts + 1 WHERE ${isOneOf}`.execute(db);
}

interface Asked {
  wallets: readonly Wallet[];
  coins: WatchedCoins;
  round: Round<Held>;
}

async function storeRound(db: Db, day: string, { wallets, coins, round: { results } }: Asked): Promise<void> {
  const projectIds = [...coins.values()].flat().map(({ projectId }) => projectId);
  const answers = wallets.flatMap(({ userId }, index) => {
    const held = results[index];
    return held ? [{ userId, ...held }] : [];
  });
  for (let start = 0; start < answers.length; start += STORED_AT_ONCE)
    // oxlint-disable-next-line no-await-in-loop -- one statement after the other
    await storeHeld(db, day, projectIds, answers.slice(start, start + STORED_AT_ONCE));
  const unread = wallets.filter((_, index) => results[index] === null);
  if (unread.length > 0)
    await storeUnread(
      db,
      unread.map(({ userId }) => userId),
    );
}

interface Wallet {
  userId: number;
  address: string;
}

async function readSome(services: Services, open: HolderReading, now: Date, options: RoundOptions): Promise<boolean> {
  const { db, config, log } = services;
  const { day } = open;
  const perSecond = unhurriedPace(open, config.standingReadsPerSecond);
  const limit = Math.min(MAX_WALLETS, Math.ceil((perSecond * ROUND_MS) / 1_000));
  const { rows: wallets } = await sql<Wallet>`
    SELECT r.user_id AS "userId", u.wallet_address AS address FROM holder_reads r JOIN users u ON u.id = r.user_id
    ORDER BY r.attempts, r.place LIMIT ${limit}`.execute(db);
  if (wallets.length === 0) return false;
  const coins = await findCoins(db, day);
  if (coins.size === 0) return false;
  const addresses = wallets.map(({ address }) => address);
  const round = await askWallets(services, addresses, { ...options, perSecond }, (owner) =>
    readHeld(services, owner, coins),
  );
  if (round.obstacle !== null) log.warn({ day, perSecond }, OBSTACLES[round.obstacle]);
  await storeRound(db, day, { wallets, coins, round });
  await sql`UPDATE holder_readings SET ${paceColumns(open, round, perSecond, now)} WHERE day = ${day}::date`.execute(
    db,
  );
  return true;
}

async function endReading(db: Db, day: string, now: Date): Promise<void> {
  await countFigures(db, day);
  await longTransaction(db, async (trx) => {
    await sql`UPDATE holder_readings SET finished_at = ${now} WHERE day = ${day}::date`.execute(trx);
    await sql`DELETE FROM holder_reads`.execute(trx);
  });
}

/** Resolves to whether there may be more to do. */
export async function readHolders(services: Services, now = new Date(), options: RoundOptions = {}): Promise<boolean> {
  const { db } = services;
  if ((await dueReading(db, now)) !== null) return false;
  const day = await newestDay(db, now);
  const open = await openReading(db, now);
  if (open !== null) {
    if (open.day === day && open.isPaused) return false;
    if (open.day === day && (await readSome(services, open, now, options))) return true;
    await endReading(db, open.day, now);
    return true;
  }
  if (day === null) return false;
  const { rows } = await sql`SELECT FROM holder_readings WHERE day >= ${day}::date LIMIT 1`.execute(db);
  if (rows.length > 0) return false;
  if (await readDecimals(services)) await startReading(db, day);
  return true;
}
