import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { normalizeStructTag } from '@mysten/sui/utils';
import { createSuiClient } from '#chain/client.ts';
import { buildPayment } from '#chain/payment.ts';
import { MIST_PER_SUI } from '#shared/constants.ts';
import type { Lookup } from '#shared/contract/lookup.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertProject, setProject } from '#lab/testing/builders.ts';
import { fundedWallet, send, sharedChain } from '#lab/testing/chain.ts';
import { Client } from '#lab/testing/client.ts';
import {
  insertChangeAt,
  insertUsers,
  insertVotesAt,
  logKey,
  publishAll,
  readLog,
  setStanding,
} from '#lab/testing/record.ts';
import { insertVoter, letStand, noonOf, skipDay } from '#lab/testing/standing.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import type { Services } from '#server/kit/services.ts';
import { planDay, utcDay } from '../standing/plan.ts';
import { readHolders } from './read-holders.ts';

const chain = sharedChain();
const server = await createTestApp({ env: { LOG_PRIVATE_KEY: logKey() } });
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);

const SUI = normalizeStructTag('0x2::sui::SUI');

beforeEach(() => empty(db));

interface Coin {
  coinType: string | null;
  coinMinimum?: number;
  coinSource: 'lister' | 'catalogue' | 'moderator';
}
/** A listing with this coin, set yesterday. */
async function list(coin: Coin = { coinType: SUI, coinSource: 'moderator' }): Promise<number> {
  const id = await insertProject(db);
  await setProject(db, id, coin);
  await sql`UPDATE projects SET coin_set_on = coin_set_on - 1 WHERE id = ${id}`.execute(db);
  return id;
}

const vote = (users: number[], project: number, bullish = true, inDays = 0) =>
  insertVotesAt(db, {
    users,
    projects: [project],
    at: new Date(Date.now() + inDays * 86_400_000).toISOString(),
    bullish,
  });

/** Closes a day as the readings of standing do, and reads the coins to the end. */
async function readDay(node: Services, offset: number): Promise<void> {
  await sql`INSERT INTO standing_days (day) VALUES (${utcDay(noonOf(offset))}::date)`.execute(db);
  while (await readHolders(node, noonOf(offset)));
}

async function readDays(node: Services, first: number, last: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one day after the other
  for (let day = first; day <= last; day += 1) await readDay(node, day);
}

/** [days read, days held] of a user; null when it was never read. */
async function heldBy(userId: number, projectId: number): Promise<[read: number, held: number] | null> {
  const row = await db
    .selectFrom('holderStanding')
    .select(['daysRead', 'daysHeld'])
    .where('userId', '=', userId)
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  return row ? [row.daysRead, row.daysHeld] : null;
}

const fixedOf = async (userId: number, projectId: number): Promise<string | null> =>
  (
    await sql<{ day: string | null }>`SELECT fixed_on::text AS day FROM holder_standing
      WHERE user_id = ${userId} AND project_id = ${projectId}`.execute(db)
  ).rows[0]?.day ?? null;

type ListBalances = Services['sui']['core']['listBalances'];
/** The server's services with a node that lists these coins of a wallet. */
function withCoins(
  list: (owner: string) => Array<[coinType: string, units: bigint]> | Promise<never>,
  hasNextPage = false,
): Services {
  const sui = createSuiClient({ network: 'localnet', url: services.config.rpcUrl });
  sui.core.listBalances = async ({ owner }) => {
    const coins = await list(owner);
    const balances = coins.map(([coinType, units]) => ({
      coinType,
      balance: String(units),
      coinBalance: String(units),
      addressBalance: '0',
    }));
    return { balances, hasNextPage, cursor: null } satisfies Awaited<ReturnType<ListBalances>>;
  };
  return { ...services, sui };
}

test('a voter holds the coin where the wallet has the minimum in whole units, and only voters of the project are read [R73]', async () => {
  const [one, hundred] = [await list(), await list({ coinType: SUI, coinMinimum: 100, coinSource: 'catalogue' })];
  const rich = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress());
  const [giver, almost, exact] = [await fundedWallet(chain), newWallet(), newWallet()];
  for (const [to, amountMist] of [
    [almost, MIST_PER_SUI - 1n],
    [exact, MIST_PER_SUI],
  ] as const)
    await send(
      chain,
      [giver],
      buildPayment({ sender: giver.toSuiAddress(), recipient: to.toSuiAddress(), amountMist }),
    );
  const below = await insertVoter(db, almost.toSuiAddress());
  const enough = await insertVoter(db, exact.toSuiAddress());
  const never = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress());
  await vote([rich, below, enough], one);
  await vote([rich, enough], hundred, false);
  // The day of the vote itself does not count.
  await readDay(services, 0);
  expect(await heldBy(rich, one)).toBeNull();
  await readDay(services, 1);
  expect(await Promise.all([rich, below, enough, never].map((id) => heldBy(id, one)))).toEqual([
    [1, 1],
    [1, 0],
    [1, 1],
    null,
  ]);
  expect(await Promise.all([rich, below, enough].map((id) => heldBy(id, hundred)))).toEqual([[1, 1], null, [1, 0]]);
  expect(await db.selectFrom('holderReads').select('userId').execute()).toEqual([]);
  expect(await db.selectFrom('coinDecimals').select(['coinType', 'decimals']).execute()).toEqual([
    { coinType: SUI, decimals: 9 },
  ]);
});

describe('the figures of holders and others [R73]', () => {
  interface Voters {
    holders: number;
    others: number;
    inDays?: number;
  }
  /** So many holders, and others, with a vote of standing each, bullish except for the last two. */
  async function insertVoters(project: number, { holders, others, inDays = 0 }: Voters) {
    const users = await insertUsers(db, holders + others);
    await sql`UPDATE user_stats SET last_day = (now() AT TIME ZONE 'UTC')::date`.execute(db);
    await letStand(db, ...users);
    const holding = users.slice(0, holders);
    for (const group of [holding, users.slice(holders)]) {
      await vote(group.slice(0, -2), project, true, inDays);
      await vote(group.slice(-2), project, false, inDays);
    }
    const rows = await db.selectFrom('users').select(['id', 'walletAddress']).execute();
    return new Set(rows.filter(({ id }) => holding.includes(id)).map(({ walletAddress }) => walletAddress));
  }
  const pageOf = async (id: number) => (await visitor.get<ProjectPage>(`/api/v1/projects/${id}`)).body.holders;

  test('the figures of holders appear after the first seven days read with ten verified votes in both groups, and change weekly with ten new votes [R73]', async () => {
    const project = await list();
    const wallets = await insertVoters(project, { holders: 10, others: 12 });
    const node = withCoins((owner) => (wallets.has(owner) ? [[SUI, 2n * MIST_PER_SUI]] : []));
    await readDays(node, 1, 6);
    expect(await pageOf(project)).toBeNull();
    await readDay(node, 7);
    const first = {
      day: utcDay(noonOf(7)),
      minimum: 1,
      holders: { bullish: 8, bearish: 2 },
      others: { bullish: 10, bearish: 2 },
    };
    expect(await pageOf(project)).toEqual(first);
    const { body } = await visitor.get<Lookup>(`/api/v1/lookup?coin=${encodeURIComponent('0x2::sui::SUI')}`);
    expect(body).toMatchObject({
      holders: first,
      line: expect.stringContaining('Holders 80% of 10 · others 83% of 12'),
    });
    await insertVoters(project, { holders: 0, others: 9, inDays: 7 });
    await readDays(node, 8, 15);
    expect(await pageOf(project)).toEqual(first);
    await insertVoters(project, { holders: 0, others: 3, inDays: 15 });
    await readDays(node, 16, 22);
    expect(await pageOf(project)).toMatchObject({ day: utcDay(noonOf(22)), others: { bullish: 18, bearish: 6 } });
  });

  test('a voter is a holder with the coin on six of the first seven days read, one of the others with fewer, and neither when read on five [R73]', async () => {
    const project = await list();
    const wallets = await insertVoters(project, { holders: 12, others: 12 });
    const { rows } = await sql<{ walletAddress: string }>`
      SELECT wallet_address FROM users JOIN votes ON votes.user_id = users.id WHERE bullish ORDER BY id`.execute(db);
    const [six = '', five = '', unread = ''] = rows.map(({ walletAddress }) => walletAddress);
    let day = 0;
    const node = withCoins((owner) => {
      if (owner === unread && day > 5) return Promise.reject(new Error('unreadable'));
      const isAway = (owner === six && day > 6) || (owner === five && day > 5);
      return wallets.has(owner) && !isAway ? [[SUI, MIST_PER_SUI]] : [];
    });
    // oxlint-disable-next-line no-await-in-loop -- one day after the other
    for (day = 1; day <= 7; day += 1) await readDay(node, day);
    expect(await pageOf(project)).toMatchObject({
      holders: { bullish: 8, bearish: 2 },
      others: { bullish: 11, bearish: 2 },
    });
  });

  /** These users turn their bullish votes, or confirm them, so many days from now. */
  async function say(users: readonly number[], projectId: number, bullish: boolean, inDays: number): Promise<void> {
    const at = new Date(Date.now() + inDays * 86_400_000).toISOString();
    for (const userId of users) expect(await insertChangeAt(db, { userId, projectId, bullish, at })).toBe(true);
  }

  interface Attack {
    ten: readonly number[];
    project: number;
    node: Services;
  }
  test.each<[way: string, attack: (attack: Attack) => Promise<unknown>, changed?: object]>([
    ['confirm their votes', ({ ten, project }) => say(ten, project, true, 8)],
    [
      'turn their votes and turn them back',
      async ({ ten, project, node }) => {
        await say(ten, project, false, 7);
        await readDay(node, 8);
        await say(ten, project, true, 8);
      },
      { day: utcDay(noonOf(15)) },
    ],
    [
      'vote the same way in the next listing period',
      ({ ten, project }) =>
        insertVotesAt(db, {
          users: [...ten],
          projects: [project],
          at: noonOf(7).toISOString(),
          bullish: true,
          period: 2,
        }),
    ],
    [
      'are new voters',
      ({ project }) => insertVoters(project, { holders: 0, others: 10, inDays: 7 }),
      { day: utcDay(noonOf(14)), others: { bullish: 18, bearish: 4 } },
    ],
  ])(
    'the figures of holders show no single voter who sells the coin while ten others %s [R73]',
    async (_, attack, changed = {}) => {
      const project = await list();
      const wallets = await insertVoters(project, { holders: 12, others: 12 });
      const { rows: voters } = await sql<{ id: number; walletAddress: string }>`
      SELECT id, wallet_address FROM users JOIN votes ON votes.user_id = users.id WHERE bullish ORDER BY id`.execute(
        db,
      );
      const node = withCoins((owner) => (wallets.has(owner) ? [[SUI, MIST_PER_SUI]] : []));
      await readDays(node, 1, 7);
      const first = await pageOf(project);
      expect(first).toMatchObject({ holders: { bullish: 10, bearish: 2 }, others: { bullish: 10, bearish: 2 } });

      const seller = voters.find(({ walletAddress }) => wallets.delete(walletAddress));
      const ten = voters.flatMap(({ id }) => (id === seller?.id ? [] : id)).slice(0, 10);
      await attack({ ten, project, node });
      const { rows: last } = await sql<{
        day: number;
      }>`SELECT max(day) - ${utcDay(noonOf(0))}::date AS day FROM holder_readings`.execute(db);
      await readDays(node, (last[0]?.day ?? 0) + 1, 16);
      expect(await pageOf(project)).toEqual({ ...first, ...changed });
    },
  );

  test('a change of direction begins a new group of its voter, and a confirmation none [R73 R57]', async () => {
    const project = await list();
    const wallets = await insertVoters(project, { holders: 12, others: 12 });
    const node = withCoins((owner) => (wallets.has(owner) ? [[SUI, MIST_PER_SUI]] : []));
    const { rows } = await sql<{ id: number }>`SELECT user_id AS id FROM votes WHERE bullish ORDER BY user_id`.execute(
      db,
    );
    await readDays(node, 1, 7);
    wallets.clear();
    const [first = 0, ...others] = rows.map(({ id }) => id);
    await say([first], project, false, 7);
    await say(others, project, true, 7);
    await readDays(node, 8, 13);
    expect(await heldBy(first, project)).toEqual([6, 0]);
    expect(await heldBy(others[0] ?? 0, project)).toEqual([7, 7]);
    expect(await fixedOf(first, project)).toBeNull();
    await readDay(node, 14);
    expect(await fixedOf(first, project)).toBe(utcDay(noonOf(14)));
  });

  test('no figures of holders are made with nine votes in a group, or about a coin that the lister typed [R73]', async () => {
    const [few, typed] = [await list(), await list({ coinType: SUI, coinSource: 'lister' })];
    const wallets = await insertVoters(few, { holders: 9, others: 20 });
    for (const wallet of await insertVoters(typed, { holders: 12, others: 12 })) wallets.add(wallet);
    const node = withCoins((owner) => (wallets.has(owner) ? [[SUI, MIST_PER_SUI]] : []));
    await readDays(node, 1, 7);
    expect([await pageOf(few), await pageOf(typed)]).toEqual([null, null]);
    expect(await db.selectFrom('holderFigures').selectAll().execute()).toEqual([]);
    const read = await db.selectFrom('holderStanding').select('projectId').distinct().execute();
    expect(read).toEqual([{ projectId: few }]);
  });

  test('the figures of holders start over with another coin or minimum [R73]', async () => {
    const project = await list();
    const wallets = await insertVoters(project, { holders: 10, others: 10, inDays: -8 });
    const node = withCoins((owner) => (wallets.has(owner) ? [[SUI, MIST_PER_SUI]] : []));
    await sql`UPDATE projects SET coin_set_on = '2026-01-01'`.execute(db);
    await readDays(node, -7, -1);
    expect(await pageOf(project)).toMatchObject({ holders: { bullish: 8 } });
    await setProject(db, project, { coinMinimum: 2 });
    expect(await pageOf(project)).toBeNull();
    await readDay(node, 0);
    await readDay(node, 1);
    const days = await db.selectFrom('holderStanding').select(['daysRead', 'daysHeld']).distinct().execute();
    expect(days).toEqual([{ daysRead: 1, daysHeld: 0 }]);
  });

  /** Ten holders and eleven others, who voted eight days ago. */
  async function insertVotersBefore(project: number): Promise<Set<string>> {
    await sql`UPDATE projects SET coin_set_on = '2026-01-01'`.execute(db);
    return insertVoters(project, { holders: 10, others: 11, inDays: -8 });
  }
  const nodeOf = (wallets: ReadonlySet<string>): Services =>
    withCoins((owner) => (wallets.has(owner) ? [[SUI, MIST_PER_SUI]] : []));

  test('the public record has the figures of holders once, without a name [R73 R63]', async () => {
    const project = await list();
    await readDays(nodeOf(await insertVotersBefore(project)), -7, -1);
    await publishAll(services);
    await publishAll(services);
    const { entries } = await readLog(server.url);
    expect(entries.filter(({ kind }) => kind === 'holders')).toEqual([
      {
        kind: 'holders',
        day: utcDay(noonOf(-1)),
        projectId: project,
        holdersBullish: 8,
        holdersBearish: 2,
        othersBullish: 9,
        othersBearish: 2,
      },
    ]);
  });

  test('figures of holders are shown once the record has them, and never where votes have lost their standing since [R73 R62]', async () => {
    const [shown, lowered] = [await list(), await list()];
    const wallets = new Set([...(await insertVotersBefore(shown)), ...(await insertVotersBefore(lowered))]);
    await publishAll(services);
    await readDays(nodeOf(wallets), -7, -1);
    expect(await db.selectFrom('holderFigures').select('projectId').execute()).toHaveLength(2);
    expect([await pageOf(shown), await pageOf(lowered)]).toEqual([null, null]);
    const { userId } = await db
      .selectFrom('holderStanding')
      .select('userId')
      .where('projectId', '=', lowered)
      .executeTakeFirstOrThrow();
    await setStanding(db, userId, 'no_standing');
    await publishAll(services);
    await server.allNotified();
    expect(await pageOf(shown)).toMatchObject({ day: utcDay(noonOf(-1)), holders: { bullish: 8, bearish: 2 } });
    expect(await pageOf(lowered)).toBeNull();
    expect(await db.selectFrom('holderFigures').select('projectId').execute()).toEqual([{ projectId: shown }]);
  });
});

describe('the reading of coins [R73]', () => {
  test('a reading of coins waits for a reading of standing that is due, and continues after it [R73 R37]', async () => {
    const project = await list();
    const voter = await insertVoter(db);
    await vote([voter], project, true, -2);
    const node = withCoins(() => [[SUI, MIST_PER_SUI]]);
    await sql`INSERT INTO standing_days (day) VALUES (${utcDay(noonOf(-1))}::date)`.execute(db);
    const now = noonOf(0);
    await readHolders(node, now);
    await planDay(db, now, [now, now]);
    expect(await readHolders(node, now)).toBe(false);
    expect(await heldBy(voter, project)).toBeNull();
    await sql`UPDATE standing_readings SET starts_at = starts_at + interval '1 hour'`.execute(db);
    await sql`UPDATE projects SET coin_set_on = coin_set_on - 1`.execute(db);
    while (await readHolders(node, now));
    expect(await heldBy(voter, project)).toEqual([1, 1]);
  });

  test('a coin that is not on the first page of a wallet counts as unread [R73]', async () => {
    const project = await list();
    const [seen, spammed] = [await insertVoter(db), await insertVoter(db)];
    await vote([seen, spammed], project);
    const { walletAddress } = await db
      .selectFrom('users')
      .select('walletAddress')
      .where('id', '=', seen)
      .executeTakeFirstOrThrow();
    const node = withCoins((owner) => [[owner === walletAddress ? SUI : `0x5::spam::SPAM`, MIST_PER_SUI]], true);
    await readDay(node, 1);
    expect([await heldBy(seen, project), await heldBy(spammed, project)]).toEqual([[1, 1], null]);
  });

  test('a wallet without a response counts as unread, and no coin is read on a day that standing skipped [R73 R68]', async () => {
    const project = await list();
    const [fine, broken] = [await insertVoter(db), await insertVoter(db)];
    await vote([fine, broken], project);
    const { walletAddress } = await db
      .selectFrom('users')
      .select('walletAddress')
      .where('id', '=', broken)
      .executeTakeFirstOrThrow();
    const node = withCoins((owner) =>
      owner === walletAddress ? Promise.reject(new Error('unreadable')) : [[SUI, MIST_PER_SUI]],
    );
    await skipDay(db, 0);
    expect(await readHolders(node, noonOf(0))).toBe(false);
    await readDay(node, 1);
    expect([await heldBy(fine, project), await heldBy(broken, project)]).toEqual([[1, 1], null]);
    expect(await db.selectFrom('holderReads').select('userId').execute()).toEqual([]);
  });
});
