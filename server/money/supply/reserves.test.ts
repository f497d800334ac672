import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { readCoinsPaid } from '#chain/book.ts';
import type { Reserves, Supply } from '#shared/contract/supply.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { Client } from '#lab/testing/client.ts';
import { sendFunds } from '#packages/sandbox/testing/own-coins.ts';
import { openPayouts } from '#lab/testing/payouts.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { openChain } from '#record/verify/chain.ts';
import { checkReserves } from '#record/verify/reserves.ts';
import { readSite } from '#record/verify/site.ts';
import { currentReserves, readReserves } from './reserves.ts';

let paidDigest = '';
const key = newWallet();
const { chain, server, ADMIN, book, demoCoin, treasury, UNIT, sendSnaps, payee, payOut } = await openPayouts({
  PAYOUT_PRIVATE_KEY: key.getSecretKey(),
});
const supplyAt = async (path: string): Promise<Supply> => (await new Client(server.url).get<Supply>(path)).body;

test('the supply has what the paying wallets hold, who can mint, what the Book has paid, and when that was read [R84 R42]', async () => {
  await sendSnaps(treasury, [{ address: key.toSuiAddress(), units: 70n * UNIT + 1n }]);
  const paid = await payee(100);
  paidDigest = (await payOut(paid)).digest;
  expect(await readCoinsPaid(chain.client, [book.id], paid.user.address)).toBe(100);
  expect(await readCoinsPaid(chain.client, [book.id, ADMIN], ADMIN)).toBe(0);
  const before = Date.now();
  const supply = await supplyAt('/api/supply');
  expect(supply.reserves).toMatchObject({
    coinType: demoCoin.coinType,
    reading: {
      wallets: [
        { role: 'payout', address: key.toSuiAddress(), held: 70 },
        { role: 'admin', address: ADMIN, held: 99_900 },
      ],
      held: 99_970,
      minter: { state: 'burnt', address: null },
      books: [{ id: book.id, paid: 100 }],
      known: 100,
      ahead: 0,
      isRestored: false,
    },
  });
  expect(Date.parse(supply.reserves?.reading?.asOf ?? '')).toBeGreaterThan(before - 60_000);
  expect((await supplyAt('/api/v1/supply')).reserves).toEqual(supply.reserves);
});

test('the verifier finds the same on a node, and each amount received since as coins or address balance [R82 R84]', async () => {
  const owner = key.toSuiAddress();
  const node = openChain({ network: 'localnet', url: chain.rpcUrl });
  const site = readSite({ baseUrl: `${server.url}/` });
  const sinceMs = (await node.clockMs()) - 3_600_000;
  const { coinType } = demoCoin;
  const transaction = sendFunds(treasury.toSuiAddress(), { coinType, amount: 5n * UNIT, recipient: owner });
  await chain.client.signAndExecuteTransaction({ transaction, signer: treasury });
  const moves = await node.moves(owner, coinType, sinceMs);
  expect(moves?.map(({ units }) => units)).toEqual([70n * UNIT + 1n, 5n * UNIT]);
  expect(await node.heldUnits(owner, coinType)).toBe(75n * UNIT + 1n);
  const wait = () => Promise.resolve();
  const record = { books: [], supply: null, paidByHand: 0 };
  const check = await checkReserves({ site, record, chain: node, wait });
  expect(check).toMatchObject({ state: 'ok', differences: [] });
  const more = async (): Promise<Supply> => {
    const supply = await site.supply();
    const reading = supply.reserves?.reading;
    if (!reading) throw new Error('the site has read the chain');
    const wallets = reading.wallets.map((one) => (one.role === 'admin' ? { ...one, held: one.held + 50 } : one));
    return { ...supply, reserves: { coinType, reading: { ...reading, wallets, held: reading.held + 50 } } };
  };
  const { state, differences } = await checkReserves({ site: { ...site, supply: more }, record, chain: node, wait });
  expect([state, differences]).toEqual(['differs', [`${ADMIN} held 99950, by the chain 99900`]]);
});

test('payouts that a restore took out of the books are named with their sum, and the verifier finds the same [R42 R97]', async () => {
  const { db } = server.services;
  const before = await readReserves(server.services, demoCoin.coinType);
  expect(before).toMatchObject({ known: 100, ahead: 0, isRestored: false });
  await sql`UPDATE withdrawals SET state = 'approved', digest = NULL`.execute(db);
  await sql`UPDATE database_copies SET lost_from = now() - interval '1 hour', lost_until = now()`.execute(db);
  const reading = await readReserves(server.services, demoCoin.coinType);
  expect(reading).toMatchObject({ books: [{ id: book.id, paid: 100 }], known: 0, ahead: 100, isRestored: true });
  const site = readSite({ baseUrl: `${server.url}/` });
  const supply = async (): Promise<Supply> => ({
    ...(await site.supply()),
    reserves: { coinType: demoCoin.coinType, reading },
  });
  const check = await checkReserves({
    site: { ...site, supply },
    record: { books: [], supply: null, paidByHand: 0 },
    chain: openChain({ network: 'localnet', url: chain.rpcUrl }),
    wait: () => Promise.resolve(),
  });
  expect(check).toMatchObject({ state: 'ok', differences: [] });
  expect(check.detail).toContain('100 Snaps paid, 100 of them that a restore took out of its books');
  await sql`UPDATE withdrawals SET state = 'paid', digest = ${paidDigest}`.execute(db);
  await sql`UPDATE database_copies SET lost_from = NULL, lost_until = NULL`.execute(db);
});

test('while the node is away the last reading is shown with its moment, and an hour later none [R84]', async () => {
  const { config, db, log, sui } = server.services;
  const services = { config, db, log, sui: Object.create(sui) as typeof sui };
  const first = await currentReserves(services);
  await chain.control({ down: true });
  const away = async (ms: number): Promise<Reserves | null> => {
    const startedAtMs = Date.now();
    const clock = performance.now();
    const later = vi.spyOn(performance, 'now').mockReturnValue(clock + ms);
    const date = vi.spyOn(Date, 'now').mockReturnValue(startedAtMs + ms);
    try {
      return await currentReserves(services);
    } finally {
      later.mockRestore();
      date.mockRestore();
    }
  };
  expect(first?.reading).not.toBeNull();
  expect(await away(300_000)).toEqual(first);
  expect(await away(3_700_000)).toEqual({ coinType: demoCoin.coinType, reading: null });
});

test('a site without a coin has no reserves [R84]', async () => {
  const byHand = await createTestApp({ env: { SNAPS_COIN_TYPE: '' } });
  expect((await new Client(byHand.url).get<Supply>('/api/supply')).body.reserves).toBeNull();
});
