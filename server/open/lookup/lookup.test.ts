import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Lookup } from '#shared/contract/lookup.ts';
import { readPackages } from '#server/listings/ownership/packages.ts';
import { recheckOwnership } from '#server/listings/ownership/recheck.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, removeProjects, setProject, slugOf } from '#lab/testing/builders.ts';
import { fund, fundedWallet, send, sharedChain } from '#lab/testing/chain.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { type OwnCoin, publishCoin, sendObject, upgradePackage } from '#packages/sandbox/testing/own-coins.ts';
import { newWallet } from '#lab/testing/wallets.ts';

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);

type LookupList = Array<{ coin: string; found: Lookup | null }>;

const PACKAGE = `0x${'0'.repeat(61)}abc`;
const COIN = `${PACKAGE}::coin::COIN`;

beforeEach(() => removeProjects(db));

async function list(name: string, columns: object): Promise<number> {
  const id = await insertProject(db, { name, bullish: 31, bearish: 12 });
  await setProject(db, id, columns);
  await server.allNotified();
  return id;
}
const lookUp = (query: string) => visitor.get<Lookup & { error: string }>(`/api/v1/lookup?${query}`);
const coin = (type: string) => lookUp(`coin=${encodeURIComponent(type)}`);

describe('look-up of a coin or package [R74]', () => {
  test('the look-up returns one line, its figures and the links, for every spelling of the coin [R74]', async () => {
    const id = await list('Tidepool', { coinType: COIN });
    const { status, body } = await coin('0xABC::coin::COIN');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      name: 'Tidepool',
      coinType: COIN,
      votes: { bullish: 31, bearish: 12, share: 31 / 43 },
      verified: { bullish: 0, bearish: 0 },
      listing: { coinSource: 'lister', ownership: 'none' },
      expired: false,
      url: expect.stringMatching(new RegExp(`/projects/${body.slug}$`)),
      badge: expect.stringMatching(/\.svg$/),
    });
    expect(body.line).toMatch(
      /^Tidepool: 72% bullish of 43 votes, likely 57–83% · none verified · .* · Ownership not proven$/,
    );
    expect((await coin(COIN)).body.id).toBe(id);
  });

  test('the look-up finds a package by its address and by its coin [R74]', async () => {
    const id = await list('Tidepool', { coinType: COIN });
    expect((await lookUp('package=0xabc')).body.id).toBe(id);
    const other = await list('Reef', { packageId: PACKAGE });
    expect((await lookUp('package=0xabc')).body.id).toBe(other);
  });

  test('the look-up finds a package and its coin by the id of any version, named or not [R71 R74]', async () => {
    const maker = await fundedWallet(chain);
    const made = await publishCoin(chain.client, maker);
    const second = await upgradePackage(chain.client, maker, made);
    const id = await list('Tidepool', { packageId: second, coinType: made.coinType });
    expect(await readPackages(server.services)).toBe(2);
    await server.allNotified();
    const third = await upgradePackage(chain.client, maker, made);
    for (const one of [made.packageId, second, third]) expect((await lookUp(`package=${one}`)).body.id).toBe(id);
    expect((await coin(made.coinType.replace(made.packageId, third))).body.id).toBe(id);
    expect((await lookUp(`package=${newWallet().toSuiAddress()}`)).status).toBe(404);
    expect(await readPackages(server.services)).toBe(0);
  });

  test('the look-up leads to the listing for which a moderator sets the coin, and back once that one is hidden [R74 R71]', async () => {
    const first = await list('First', { coinType: COIN });
    const second = await list('Second', { coinType: COIN });
    expect((await coin(COIN)).body.id).toBe(first);
    await setProject(db, second, { coinSource: 'moderator' });
    await server.allNotified();
    expect((await coin(COIN)).body.id).toBe(second);
    await setProject(db, second, { hiddenAt: new Date() });
    await server.allNotified();
    expect((await coin(COIN)).body.id).toBe(first);
  });

  test('the look-up names the mistake in a request for nothing, for two things, for no coin, or for a website [R74]', async () => {
    for (const query of ['', 'coin=0x2::sui::SUI&package=0x2', 'coin=SUI', 'package=0x2::sui'])
      expect(await lookUp(query)).toMatchObject({ status: 400, body: { error: 'invalid_lookup' } });
    expect(await lookUp('website=tidepool.example')).toMatchObject({
      status: 400,
      body: { error: 'unknown_parameter' },
    });
    expect((await coin(`0x2::a::${'A'.repeat(2_000)}`)).status).toBe(400);
    expect(await coin('0x2::sui::SUI')).toMatchObject({ status: 404, body: { error: 'not_listed' } });
  });

  test('looks 100 coins up in one call, in their order, with null for those that no listing names, at the price of 100 calls [R93 R74]', async () => {
    const charge = vi.spyOn(server.app.readBudget, 'charge');
    onTestFinished(() => charge.mockRestore());
    const types = Array.from({ length: 100 }, (_, n) => `0x${String(n).padStart(64, 'a')}::some_coin::SOME_COIN`);
    const [first, last] = [await list('First', { coinType: types[7] }), await list('Last', { coinType: types[99] })];
    const query = types.map((type) => `coin=${type}`).join('&');
    const many = await visitor.get<LookupList>(`/api/v1/lookup?${query}`);
    expect([many.status, many.body.map((row) => row.coin)]).toEqual([200, types]);
    expect(many.body.flatMap(({ found }, at) => (found ? [[at, found.id]] : []))).toEqual([
      [7, first],
      [99, last],
    ]);
    expect(charge.mock.calls.at(-1)?.[2]).toBe(100);
    const [one, { asOf: _asOf, ...same }] = [many.body[7]?.found, (await coin(types[7] ?? '')).body];
    expect(one).toMatchObject(same);
    expect(charge.mock.calls.at(-1)?.[2]).toBe(1);
  });

  test.each([
    ['101 coins', 'coin=0x2::sui::SUI&'.repeat(101), 'Send 1 to 100 coins, each as text of at most 1000 characters'],
    ['a text among coins', 'coin=0x2::sui::SUI&coin=SUI', 'This is no coin: SUI'],
    [
      'coins and a package',
      'coin=0x2::a::A&coin=0x2::b::B&package=0x2',
      'Send either coin (0x2::sui::SUI) or package (0x2)',
    ],
  ])('says what is wrong in a call with %s [R93]', async (_what, query, message) => {
    expect(await lookUp(query.replace(/&$/, ''))).toMatchObject({ status: 400, body: { message } });
  });

  test('page, badge and embedded card are also found by coin type [R74]', async () => {
    const id = await list('Tidepool', { coinType: COIN });
    const slug = await slugOf(db, id);
    const type = encodeURIComponent('0xabc::coin::COIN');
    for (const [path, target] of [
      [`/coins/${type}`, `/projects/${slug}`],
      [`/badge/coin/${type}.svg?theme=dark`, `/badge/${slug}.svg?theme=dark`],
      [`/embed/coin/${COIN}`, `/embed/${slug}`],
    ] as const) {
      const { status, headers } = await visitor.get(path);
      expect([status, headers.get('location')]).toEqual([302, target]);
    }
    for (const path of ['/coins/0x2::sui::SUI', '/badge/coin/nothing.svg', '/embed/coin/'])
      expect((await visitor.get(path)).status).toBe(404);
    const browser = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
    const opened = await fetch(`${server.url}/coins/0x2::sui::SUI`, browser);
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/coins?type=0x2%3A%3Asui%3A%3ASUI']);
  });
});

/** The wallet of a lister on the chain, with a coin of its own. */
async function lister() {
  const user = await newUser(server);
  await fund(chain, user.address);
  return { user, coin: await publishCoin(chain.client, user.wallet) };
}
/** The listing that look-up, page, badge and embedded card lead to. */
async function ledTo({ coinType, packageId }: Pick<OwnCoin, 'coinType' | 'packageId'>) {
  const type = encodeURIComponent(coinType);
  const paths = [`/coins/${type}`, `/badge/coin/${type}.svg`, `/embed/coin/${type}`];
  const targets = await Promise.all(paths.map(async (path) => (await visitor.get(path)).headers.get('location')));
  const [byCoin, byPackage] = [await coin(coinType), await lookUp(`package=${packageId}`)];
  return { byCoin: byCoin.body.slug, byPackage: byPackage.body.slug, targets };
}
const named = ({ coinType, packageId }: OwnCoin) => ({ coinType, packageId });
async function prove(user: TestUser, id: number, subject: string, ownership = 'controls') {
  const proof = { status: 200, body: { ownership, subject } };
  expect(await user.post(`/api/projects/${id}/ownership`, {})).toMatchObject(proof);
  await server.allNotified();
}

test.each([
  ['unclaimed in the catalogue', { coinSource: 'catalogue', isCatalogue: true }],
  ['typed by its lister', {}],
])(
  'a wallet that proves its own coin takes no coin, page or badge of a listing that is %s [R74 R71]',
  async (_state, columns) => {
    const [victim, thief] = [await lister(), await lister()];
    const real = await list('Real', { ownerId: victim.user.id, ...named(victim.coin), ...columns });
    const before = await ledTo(victim.coin);
    const slug = await slugOf(db, real);
    expect(before).toEqual({
      byCoin: slug,
      byPackage: slug,
      targets: [`/projects/${slug}`, `/badge/${slug}.svg`, `/embed/${slug}`],
    });

    const ownPackage = { coinType: victim.coin.coinType, packageId: thief.coin.packageId };
    const one = await list('Fake', { ownerId: thief.user.id, ...ownPackage });
    await prove(thief.user, one, thief.coin.packageId);
    const ownCoin = { coinType: thief.coin.coinType, packageId: victim.coin.packageId };
    const two = await list('Fake two', { ownerId: thief.user.id, ...ownCoin });
    await prove(thief.user, two, thief.coin.coinType);
    expect(await ledTo(victim.coin)).toEqual(before);
    expect((await coin(thief.coin.coinType)).body.id).toBe(two);
  },
);

test('two wallets that name the coins of each other keep what each has proven [R74 R71]', async () => {
  const [one, two] = [await lister(), await lister()];
  const first = await list('First', {
    ownerId: one.user.id,
    coinType: two.coin.coinType,
    packageId: one.coin.packageId,
  });
  const second = await list('Second', {
    ownerId: two.user.id,
    coinType: one.coin.coinType,
    packageId: two.coin.packageId,
  });
  await prove(one.user, first, one.coin.packageId);
  await prove(two.user, second, two.coin.packageId);
  const [slug, other] = [await slugOf(db, first), await slugOf(db, second)];
  // No wallet has proven a coin: each belongs to the only listing that names it.
  expect(await ledTo(one.coin)).toMatchObject({ byCoin: other, byPackage: slug });
  expect(await ledTo(two.coin)).toMatchObject({ byCoin: slug, byPackage: other });
  const own = await list('Own', { ownerId: one.user.id, ...named(one.coin) });
  await prove(one.user, own, one.coin.coinType);
  expect(await ledTo(one.coin)).toMatchObject({ byCoin: await slugOf(db, own), byPackage: slug });
});

test('a lost proof gives coin, page, badge and card back to the oldest listing, and a regained one takes them again [R74 R71]', async () => {
  const { user, coin: own } = await lister();
  const older = await list('Older', named(own));
  const younger = await list('Younger', { ownerId: user.id, ...named(own) });
  const slugs = [await slugOf(db, older), await slugOf(db, younger)];
  const leading = async () => {
    const { byCoin, byPackage, targets } = await ledTo(own);
    const found = new Set([byCoin, byPackage, ...targets.map((target) => target?.replace(/^.*\/|\.svg$/g, ''))]);
    return [...found].map((slug) => ['older', 'younger'][slugs.indexOf(slug ?? '')]);
  };
  const move = async (from: TestUser, to: TestUser) => {
    const transactions = [own.treasuryCap, own.upgradeCap, own.publisher].map((cap) => sendObject(cap, to.address));
    for (const transaction of transactions) {
      transaction.setSender(from.address);
      // oxlint-disable-next-line no-await-in-loop -- each uses the same coin of gas
      await send(chain, [from.wallet], transaction);
    }
  };
  expect(await leading()).toEqual(['older']);
  await prove(user, younger, own.coinType);
  expect(await leading()).toEqual(['younger']);
  const friend = await newUser(server);
  await fund(chain, friend.address);
  await move(user, friend);
  await sql`UPDATE ownerships SET checked_at = checked_at - interval '8 days'`.execute(db);
  expect(await recheckOwnership(server.services)).toBe(1);
  await server.allNotified();
  expect(await leading()).toEqual(['older']);
  await move(friend, user);
  await prove(user, younger, own.coinType);
  expect(await leading()).toEqual(['younger']);
  await setProject(db, older, { coinSource: 'catalogue' });
  await server.allNotified();
  expect(await leading()).toEqual(['older']);
});
