import { expect, test } from 'vitest';
import { SUPPLY } from '../testing/fitting-site.ts';
import { RecordUnavailable } from '../proof/remote-files.ts';
import { type CoinChain, checkReserves, type Move, type ReservesTask } from './reserves.ts';

const [ADMIN, PAYOUT, OTHER] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(64)}`) as [string, string, string];
const CAP = `0x${'d'.repeat(64)}`;
const BOOK = `0x${'e'.repeat(64)}`;
const COIN = '0x5::snaps::SNAPS';
const UNIT = 1_000_000n;
const DAY = '2026-11-21';
const AS_OF = '2026-11-22T12:00:00.000Z';
const AS_OF_MS = Date.parse(AS_OF);
const MINUTE_MS = 60_000;

const minter = { state: 'address' as const, address: ADMIN, treasuryCap: CAP };
const READING = {
  wallets: [
    { role: 'payout' as const, address: PAYOUT, held: 70 },
    { role: 'admin' as const, address: ADMIN, held: 1_000 },
  ],
  held: 1_070,
  minter,
  books: [{ id: BOOK, paid: 60 }],
  known: 60,
  ahead: 0,
  isRestored: false,
  asOf: AS_OF,
};
/** Both hold a part of one more. */
const HELD = { [PAYOUT]: 70n * UNIT + 1n, [ADMIN]: 1_000n * UNIT + 1n };

const away = () => Promise.reject(new Error('no response'));

const bookWith = (totalPaid: bigint, packageId = OTHER) => ({ packageId, coinType: COIN, totalPaid });
const chainOf = (changes: Partial<CoinChain> = {}): CoinChain => ({
  url: 'http://sui.test',
  clockMs: () => Promise.resolve(AS_OF_MS + 20_000),
  decimals: () => Promise.resolve(6),
  minter: () => Promise.resolve(minter),
  heldUnits: (owner) => Promise.resolve(HELD[owner] ?? 0n),
  moves: () => Promise.resolve([]),
  book: (id) => Promise.resolve(id === BOOK ? bookWith(60n * UNIT) : null),
  ...changes,
});
const settings = { snapsCoinType: COIN as string | null, adminWallet: ADMIN };
const siteOf = (reading: object | null = READING, config = settings): ReservesTask['site'] => ({
  config: () => Promise.resolve(config),
  supply: () => Promise.resolve({ ...SUPPLY, reserves: { coinType: COIN, reading } as never }),
});
const entry = { kind: 'book', day: DAY, network: 'testnet', packageId: OTHER, bookId: BOOK } as const;
const supply = { kind: 'supply', day: DAY, granted: 0, burned: 0, paid: 60, held: 0, lost: 0, ahead: 0 } as const;
const RECORD: ReservesTask['record'] = { books: [entry], supply, paidByHand: 0 };
const check = (site = siteOf(), chain: Partial<CoinChain> = {}, record = RECORD) =>
  checkReserves({ site, record, chain: chainOf(chain), wait: () => Promise.resolve() });

test('accepts reserves that the chain confirms, even with a fraction of a Snap that no wallet shows [R84]', async () => {
  expect(await check()).toEqual({
    name: 'Reserves',
    state: 'ok',
    detail: '1,070 Snaps in 2 wallets, who can mint, and 60 Snaps paid, by http://sui.test',
    differences: [],
  });
  expect((await check(siteOf({ ...READING, held: 1_071 }))).state).toBe('ok');
});

const { wallets } = READING;
const [payout, admin] = wallets as [(typeof wallets)[0], (typeof wallets)[0]];

test.each<[what: string, reading: object, words: RegExp]>([
  [
    '50 more in a wallet',
    { ...READING, wallets: [{ ...payout, held: 120 }, admin], held: 1_120 },
    /^0xb+ held 120, by the chain 70$/,
  ],
  ['50 more in all', { ...READING, held: 1_120 }, /^held 1120, by its wallets 1070$/],
  ['a wallet twice', { ...READING, wallets: [payout, admin, admin], held: 2_070 }, /^a wallet counts twice$/],
  ['no wallet that pays', { ...READING, wallets: [payout], held: 70 }, /^the wallets lack 0xa+, which pays$/],
  ['another minter', { ...READING, minter: { ...minter, address: OTHER } }, /^who can mint: address 0xc+ 0xd+, by the/],
  [
    'nobody who mints',
    { ...READING, minter: { ...minter, state: 'burnt', address: null } },
    /^who can mint: burnt 0xd+/,
  ],
  ['a reading of yesterday', { ...READING, asOf: '2026-11-21T12:00:00.000Z' }, /is more than an hour old$/],
])('a site that shows %s differs from the chain [R84]', async (_what, reading, words) => {
  const { state, differences } = await check(siteOf(reading));
  expect([state, differences]).toEqual(['differs', [expect.stringMatching(words)]]);
});

test('a site that shows no reserves of its coin, or another coin, differs [R84]', async () => {
  const other = await check(siteOf(READING, { ...settings, snapsCoinType: '0x6::snaps::SNAPS' }));
  expect([other.state, other.differences]).toEqual(['differs', [expect.stringMatching(/^the coin 0x5::/)]]);
  const without = (config: typeof settings) => ({ ...siteOf(READING, config), supply: () => Promise.resolve(SUPPLY) });
  expect((await check(without(settings))).state).toBe('differs');
  const byHand = without({ ...settings, snapsCoinType: null });
  expect((await check(byHand)).state).toBe('differs');
  expect((await check(byHand, {}, { ...RECORD, books: [] })).state).toBe('absent');
});

/** Ten Snaps left the payout wallet so long after the reading. */
const leaving = (afterMs: number, clockMs: number, moves: Move[] | null) => ({
  clockMs: () => Promise.resolve(AS_OF_MS + clockMs),
  heldUnits: (owner: string) => Promise.resolve((HELD[owner] ?? 0n) - (owner === PAYOUT ? 10n * UNIT : 0n)),
  moves: (owner: string) =>
    Promise.resolve(moves && owner === PAYOUT ? [{ timeMs: AS_OF_MS + afterMs, units: -10n * UNIT }] : moves),
});

test('amounts moved since the reading are subtracted, and those moved about that time may be [R84]', async () => {
  expect((await check(siteOf(), leaving(30 * MINUTE_MS, 40 * MINUTE_MS, []))).state).toBe('ok');
  expect((await check(siteOf(), leaving(MINUTE_MS, 40 * MINUTE_MS, []))).state).toBe('ok');
  const since = { ...READING, wallets: [{ ...payout, held: 60 }, admin], held: 1_060 };
  expect((await check(siteOf(since), leaving(30 * MINUTE_MS, 40 * MINUTE_MS, []))).state).toBe('differs');
  expect((await check(siteOf(since), leaving(MINUTE_MS, 40 * MINUTE_MS, []))).state).toBe('ok');
});

test.each<[what: string, site: ReservesTask['site'], chain: Partial<CoinChain>, words: RegExp]>([
  ['a node that is away', siteOf(), { heldUnits: away }, /^The Sui node at http:\/\/sui.test does not respond/],
  ['a node without the history', siteOf(), leaving(0, 40 * MINUTE_MS, null), /^http:\/\/sui.test lacks the history of/],
  ['a node that is behind', siteOf(), { clockMs: () => Promise.resolve(AS_OF_MS - 10 * MINUTE_MS) }, /is newer than/],
  ['a coin without decimals', siteOf(), { decimals: () => Promise.resolve(null) }, /does not know the decimals/],
  ['a site whose own node is away', siteOf(null), {}, /could not read the chain/],
  [
    'an older reading of another minter',
    siteOf({ ...READING, minter: { ...minter, address: OTHER } }),
    { clockMs: () => Promise.resolve(AS_OF_MS + 40 * MINUTE_MS) },
    /^who can mint/,
  ],
  [
    'a supply that cannot be read',
    { ...siteOf(), supply: () => Promise.reject(new RecordUnavailable('too busy for api/v1/supply')) },
    {},
    /^too busy/,
  ],
])('reserves are unknown with %s [R84]', async (_what, site, chain, words) => {
  const { state, detail } = await check(site, chain);
  expect([state, detail]).toEqual(['unchecked', expect.stringMatching(words)]);
});

test('a site that has paid between two readings is read once more [R84]', async () => {
  const readings = [{ ...READING, wallets: [{ ...payout, held: 80 }, admin], held: 1_080 }, READING];
  let reads = 0;
  const { config } = siteOf();
  const waits: number[] = [];
  const found = await checkReserves({
    site: { config, supply: () => siteOf(readings[reads++]).supply() },
    record: RECORD,
    chain: chainOf(),
    wait: (ms) => Promise.resolve(void waits.push(ms)),
  });
  expect([found.state, waits]).toEqual(['ok', [75_000]]);
});

const bookOf = (paid: number | null, known: number) => ({ books: [{ id: BOOK, paid }], known });
const paying = (...totals: bigint[]) => ({
  book: () => Promise.resolve(bookWith((totals.length > 1 ? totals.shift() : totals[0]) ?? 0n)),
});

test('reports the sum of Snaps that a restore took out of the books and the Book on chain still has [R42 R97]', async () => {
  const restored = { ...READING, ...bookOf(90, 60), ahead: 30, isRestored: true };
  const { state, detail } = await check(siteOf(restored), paying(90n * UNIT));
  expect([state, detail]).toEqual([
    'ok',
    expect.stringContaining('90 Snaps paid, 30 of them that a restore took out of its books'),
  ]);
});

test('accepts a total between two reads of it, and none above or below both [R42]', async () => {
  const rising = () => paying(60n * UNIT, 80n * UNIT);
  const said = (paid: number) => siteOf({ ...READING, ...bookOf(paid, paid) });
  expect((await check(said(70), rising())).state).toBe('ok');
  expect((await check(said(81), rising())).differences).toEqual([`the Book ${BOOK} has paid 81, by the chain 80`]);
  expect((await check(said(59), rising())).state).toBe('differs');
});

test.each<[what: string, reading: object, record: Partial<ReservesTask['record']>, words: RegExp]>([
  ['more than its Book has paid', bookOf(70, 70), {}, /^the Book 0xe+ has paid 70, by the chain 60$/],
  [
    'payouts that the chain has not',
    { ...bookOf(60, 80), ahead: -20 },
    {},
    /^the site's books have 20 Snaps as paid that/,
  ],
  ['another sum ahead', { ...bookOf(60, 50), ahead: 20 }, {}, /^ahead 20, by the Books 10$/],
  ['no Book of its record', { books: [], known: 0 }, { supply: null }, /^the Book 0xe+ of the record is missing$/],
  [
    'a Book of another package than its record',
    {},
    { books: [{ ...entry, packageId: ADMIN }] },
    /^the Book 0xe+ is of 0xc+$/,
  ],
  [
    'fewer payouts than it has recorded',
    {},
    { supply: { ...supply, paid: 90 } },
    /^paid through Books 60, by the record 90$/,
  ],
])('a site that shows %s differs from record and chain [R42]', async (_what, reading, record, words) => {
  const { state, differences } = await check(siteOf({ ...READING, ...reading }), {}, { ...RECORD, ...record });
  expect([state, differences]).toEqual(['differs', [expect.stringMatching(words)]]);
});

test('does not look for payouts by hand in the Book, and reports a Book that the node does not know as unknown [R42]', async () => {
  expect((await check(siteOf(), {}, { ...RECORD, supply: { ...supply, paid: 90 }, paidByHand: 30 })).state).toBe('ok');
  const gone = siteOf({ ...READING, ...bookOf(null, 60), ahead: null });
  const { state, detail } = await check(gone, { book: () => Promise.resolve(null) });
  expect([state, detail]).toEqual(['unchecked', `http://sui.test has no Book ${BOOK}`]);
});
