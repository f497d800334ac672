import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { VOTES_PER_WINDOW, VOTE_WINDOW_HOURS } from '#shared/constants.ts';
import type { Config } from '../config.ts';

/**
 * What is left of the wallet of a deleted account: a keyed hash of the wallet, and one for each project that it voted on or listed.
 * A reader of the tables learns neither wallets nor numbers of accounts; with the key, and a wallet that is known already, the server
 * can tell that this wallet may not vote on a project again. docs/decisions/0040-accounts.md
 */

type Settings = Pick<Config, 'accountKey'>;

const MARK_BYTES = 16;
/** Marks that are made, stored or looked up at a time: hashing more would let every request of the process wait. */
const CHUNK = 2_000;

const walletHash = (key: Uint8Array, wallet: string): Buffer =>
  createHmac('sha256', key).update(`deleted wallet\n${wallet}`).digest();
const markOf = (key: Uint8Array, wallet: string, projectId: number): Buffer =>
  createHmac('sha256', key).update(`deleted wallet\n${wallet}\nproject ${projectId}`).digest().subarray(0, MARK_BYTES);

const findStoredKey = (db: Db) => db.selectFrom('accountKeys').select('key').executeTakeFirst();

/** The key for new hashes: ACCOUNT_KEY, else one that the database keeps. */
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

/** All keys that hashes may have been made with. */
async function knownKeys(db: Db, { accountKey }: Settings): Promise<Uint8Array[]> {
  const stored = await findStoredKey(db);
  return [accountKey, stored?.key].filter((key) => key !== undefined && key !== null);
}

async function* inChunks<T>(values: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < values.length; start += CHUNK) {
    yield values.slice(start, start + CHUNK);
    // oxlint-disable-next-line no-await-in-loop -- in turns, so that requests are served in between
    await setImmediate();
  }
}

/** Remembers a wallet whose account is being deleted, and the projects that it may not vote on again. */
export async function storeFormerWallet(
  trx: Db,
  settings: Settings,
  wallet: string,
  projectIds: readonly number[],
): Promise<void> {
  const key = await presentKey(trx, settings);
  const votesFrom = sql<Date>`now() + make_interval(hours => ${VOTE_WINDOW_HOURS})`;
  await trx
    .insertInto('deletedWallets')
    .values({ walletHash: walletHash(key, wallet), votesFrom })
    .onConflict((oc) => oc.column('walletHash').doUpdateSet({ votesFrom }))
    .execute();
  for await (const ids of inChunks(projectIds)) {
    // In the order of the hashes, which is that of nothing else.
    const marks = ids.map((id) => markOf(key, wallet, id)).toSorted(Buffer.compare);
    await sql`INSERT INTO deletion_marks (mark) SELECT unnest(${marks}::bytea[]) ON CONFLICT DO NOTHING`.execute(trx);
  }
}

async function barredProjects(trx: Db, keys: readonly Uint8Array[], wallet: string): Promise<number[]> {
  const projects = await trx.selectFrom('projects').select('id').orderBy('id').execute();
  const barred: number[] = [];
  for await (const rows of inChunks(projects)) {
    const marked = rows.flatMap(({ id }) => keys.map((key) => ({ id, mark: markOf(key, wallet, id) })));
    const { rows: found } = await sql<{ mark: Buffer }>`
      SELECT mark FROM deletion_marks WHERE mark = ANY (${marked.map(({ mark }) => mark)}::bytea[])`.execute(trx);
    const known = new Set(found.map(({ mark }) => mark.toString('hex')));
    for (const { id, mark } of marked) if (known.has(mark.toString('hex'))) barred.push(id);
  }
  return barred;
}

/**
 * Where the wallet of a new account had one that was deleted: it may not vote on the same projects again, nor have a new window of votes
 * before the last one can be over.
 */
export async function welcomeBack(trx: Db, settings: Settings, userId: number, wallet: string): Promise<void> {
  const keys = await knownKeys(trx, settings);
  if (keys.length === 0) return;
  const former = await trx
    .selectFrom('deletedWallets')
    .select(({ fn }) => fn.max('votesFrom').as('votesFrom'))
    .where(
      'walletHash',
      'in',
      keys.map((key) => walletHash(key, wallet)),
    )
    .executeTakeFirst();
  const votesFrom = former?.votesFrom ?? null;
  if (votesFrom === null) return;
  await trx
    .updateTable('userStats')
    .set({
      barredProjects: await barredProjects(trx, keys, wallet),
      windowVotes: VOTES_PER_WINDOW,
      windowStartedAt: sql<Date>`${votesFrom}::timestamptz - make_interval(hours => ${VOTE_WINDOW_HOURS})`,
    })
    .where('userId', '=', userId)
    .execute();
}
