import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { VOTES_PER_WINDOW, VOTE_WINDOW_HOURS } from '#shared/constants.ts';
import type { Config } from '#server/kit/config.ts';
import { returnTotals, storeTotals } from '#server/books/totals.ts';
import { tooMany } from '#server/kit/http/errors.ts';

/**
 * Remains of the wallet of a deleted account: a keyed hash of the wallet, and one for each project that it voted on,
 * with the listing period, or listed. A reader of the tables learns neither wallets nor numbers of accounts. With the
 * key, and a wallet that is already known, the server can determine that this wallet may not vote on a project again in
 * that period. docs/build/decisions/0040-accounts.md
 */

/** A project that a wallet may not vote on up to and including a listing period. */
export interface Bar {
  projectId: number;
  period: number;
}

/** The period for projects that the wallet has listed: listers never vote on their own. */
export const FOR_GOOD = 32_767;

type Settings = Pick<Config, 'accountKey'>;

const MARK_BYTES = 16;
const RETURNS_PER_DAY = 3;
/** Hashes that are computed, stored or looked up at a time: more would block every request of the process. */
const CHUNK = 2_000;

const walletHash = (key: Uint8Array, wallet: string): Buffer =>
  createHmac('sha256', key).update(`deleted wallet\n${wallet}`).digest();
const markOf = (key: Uint8Array, wallet: string, { projectId, period }: Bar): Buffer => {
  const until = period === FOR_GOOD ? '' : `\nperiod ${period}`;
  return createHmac('sha256', key)
    .update(`deleted wallet\n${wallet}\nproject ${projectId}${until}`)
    .digest()
    .subarray(0, MARK_BYTES);
};

const checkOf = (key: Uint8Array): Buffer => createHmac('sha256', key).update('account key').digest();

const findStoredKey = (db: Db) => db.selectFrom('accountKeys').select('key').executeTakeFirst();

async function presentKey(db: Db, { accountKey }: Settings): Promise<Uint8Array> {
  if (accountKey) return accountKey;
  await db
    .insertInto('accountKeys')
    .values({ key: randomBytes(32) })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const row = await findStoredKey(db);
  if (!row) throw new Error('the key of deleted accounts is gone');
  return row.key;
}

async function knownKeys(db: Db, { accountKey }: Settings): Promise<Uint8Array[]> {
  const stored = await findStoredKey(db);
  return [accountKey, stored?.key].filter((key) => key !== undefined && key !== null);
}

/** Identify the keys by which the hashes of deleted accounts can be found. */
export const keyChecks = async (db: Db, settings: Settings): Promise<Buffer[]> =>
  (await knownKeys(db, settings)).map(checkOf);

/** Finds rows by the wallet's hash under any known key. */
export async function hashedWallets(
  db: Db,
  settings: Settings,
  wallets: readonly string[],
): Promise<Map<string, string>> {
  const keys = await knownKeys(db, settings);
  return new Map(wallets.flatMap((wallet) => keys.map((key) => [walletHash(key, wallet).toString('hex'), wallet])));
}

async function* inChunks<T>(values: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < values.length; start += CHUNK) {
    yield values.slice(start, start + CHUNK);
    // oxlint-disable-next-line no-await-in-loop -- with pauses, so that requests are served in between
    await setImmediate();
  }
}

export async function storeFormerWallet(
  trx: Db,
  settings: Settings,
  { userId, wallet }: { userId: number; wallet: string },
  bars: readonly Bar[],
): Promise<void> {
  const key = await presentKey(trx, settings);
  await storeTotals(trx, userId, { walletHash: walletHash(key, wallet), keyCheck: checkOf(key) });
  const votesFrom = sql<Date>`now() + make_interval(hours => ${VOTE_WINDOW_HOURS})`;
  await trx
    .insertInto('deletedWallets')
    .values({ walletHash: walletHash(key, wallet), votesFrom })
    .onConflict((oc) => oc.column('walletHash').doUpdateSet({ votesFrom }))
    .execute();
  for await (const chunk of inChunks(bars)) {
    // Sorted by hash, an order that reveals nothing.
    const marks = chunk.map((bar) => markOf(key, wallet, bar)).toSorted(Buffer.compare);
    await sql`INSERT INTO deletion_marks (mark) SELECT unnest(${marks}::bytea[]) ON CONFLICT DO NOTHING`.execute(trx);
  }
}

/**
 * Bars that an earlier account of the wallet causes now: votes in the present listing period of a project, and its own
 * listings.
 */
async function presentBars(trx: Db, keys: readonly Uint8Array[], wallet: string): Promise<Bar[]> {
  const { rows: projects } = await sql<Bar>`
    SELECT id::int AS "projectId", period_at(period_starts, now()) AS period FROM projects ORDER BY id`.execute(trx);
  const bars: Bar[] = [];
  for await (const chunk of inChunks(projects)) {
    const marked = chunk
      .flatMap((present) => [present, { ...present, period: FOR_GOOD }])
      .flatMap((bar) => keys.map((key) => ({ bar, mark: markOf(key, wallet, bar) })));
    const { rows: found } = await sql<{ mark: Buffer }>`
      SELECT mark FROM deletion_marks WHERE mark = ANY (${marked.map(({ mark }) => mark)}::bytea[])`.execute(trx);
    const known = new Set(found.map(({ mark }) => mark.toString('hex')));
    const last = new Map<number, number>();
    for (const { bar, mark } of marked)
      if (known.has(mark.toString('hex')))
        last.set(bar.projectId, Math.max(bar.period, last.get(bar.projectId) ?? bar.period));
    bars.push(...[...last].map(([projectId, period]) => ({ projectId, period })));
  }
  return bars;
}

/** Counts a new account of a wallet whose former one was deleted: each leaves permanent rows. @throws 429 */
async function countReturn(trx: Db, hashes: readonly Buffer[]): Promise<Date | null> {
  const isToday = sql<boolean>`returned_from > now() - interval '1 day'`;
  const rows = await trx
    .updateTable('deletedWallets')
    .set({
      returns: sql<number>`CASE WHEN ${isToday} THEN returns + 1 ELSE 1 END`,
      returnedFrom: sql<Date>`CASE WHEN ${isToday} THEN returned_from ELSE now() END`,
    })
    .where('walletHash', 'in', hashes)
    .returning(['votesFrom', 'returns'])
    .execute();
  if (rows.some(({ returns }) => returns > RETURNS_PER_DAY))
    throw tooMany(
      'too_many_accounts',
      'You have deleted several accounts with this wallet today. Try again tomorrow.',
      3_600,
    );
  return rows.reduce<Date | null>(
    (last, { votesFrom }) => (last === null || votesFrom > last ? votesFrom : last),
    null,
  );
}

/**
 * If the wallet of a new account had a deleted one, it may not vote on the same projects again in their present listing
 * period, nor get a new window of votes before the last one can be over. @throws 429 for the fourth such account of a
 * day
 */
export async function welcomeBack(trx: Db, settings: Settings, userId: number, wallet: string): Promise<void> {
  const keys = await knownKeys(trx, settings);
  if (keys.length === 0) return;
  const hashes = keys.map((key) => walletHash(key, wallet));
  const votesFrom = await countReturn(trx, hashes);
  await returnTotals(trx, userId, hashes);
  if (votesFrom === null) return;
  const bars = await presentBars(trx, keys, wallet);
  await trx
    .updateTable('userStats')
    .set({
      barredProjects: bars.map(({ projectId }) => projectId),
      barredPeriods: bars.map(({ period }) => period),
      windowVotes: VOTES_PER_WINDOW,
      windowStartedAt: sql<Date>`${votesFrom}::timestamptz - make_interval(hours => ${VOTE_WINDOW_HOURS})`,
    })
    .where('userId', '=', userId)
    .execute();
}
