import { Transaction } from '@mysten/sui/transactions';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readMinter } from '#chain/minter.ts';
import { findControl } from '#chain/ownership.ts';
import { buildPublication } from '#chain/publication.ts';
import type { CoinDraft, CoinPublication, SnapsCoin } from '#shared/contract/coin.ts';
import { readCoin } from '#server/kit/payout-coin.ts';
import { signInAs, signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { ADMIN_PASSWORD } from '#lab/settings.ts';
import { run } from '#ops/process/programs.ts';
import { fund, startChain } from '#lab/testing/chain.ts';
import { startChainProxy } from '#lab/testing/chain-proxy.ts';
import { newWallet, type Wallet } from '#lab/testing/wallets.ts';
import { recoverCoin } from './recover.ts';

/** A chain of this file's own: it is interrupted here. */
const chain = await startChain();
afterAll(() => chain.stop());
const proxy = await startChainProxy(chain.rpcUrl);
afterAll(() => proxy.close());
const adminKey = newWallet();
const ADMIN = adminKey.toSuiAddress();
await fund(chain, ADMIN, 3);
const env = { SUI_RPC_URL: proxy.url, SUI_FAUCET_URL: chain.faucetUrl, ADMIN_WALLET: ADMIN, SNAPS_COIN_TYPE: '' };
const server = await createTestApp({ env });
const { db } = server.services;
const panel = await signInAsAdmin(server, adminKey);
const TERMS = { name: 'Reef Snaps', symbol: 'REEF', decimals: 6, firstSupply: 1_000_000 };
interface Rejection {
  error: string;
  message: string;
  field?: string;
}

beforeEach(async () => {
  proxy.heal();
  await db.deleteFrom('coinPublication').execute();
});

const draft = (change: Partial<typeof TERMS> = {}) =>
  panel.post<CoinDraft & Rejection>('/api/admin/coin', { ...TERMS, ...change });

async function sign(
  change: Partial<typeof TERMS> = {},
  { key = adminKey, edit }: { key?: Wallet; edit?: (transaction: Transaction) => void } = {},
): Promise<{ bytes: string; signature: string }> {
  const { body } = await draft(change);
  const module = Uint8Array.from(Buffer.from(body.module, 'base64'));
  const transaction = buildPublication({ sender: key.toSuiAddress(), module });
  edit?.(transaction);
  return key.signTransaction(await transaction.build({ client: chain.client }));
}

const publish = (signed: { bytes: string; signature: string }, replaces: string | null = null) =>
  panel.post<CoinPublication & Rejection>('/api/admin/coin/execute', { ...signed, replaces });
const state = async (): Promise<SnapsCoin> => (await panel.get<SnapsCoin>('/api/admin/coin')).body;
const unitsOf = async (coinType: string | null): Promise<string> =>
  (await chain.client.core.getBalance({ owner: ADMIN, coinType: coinType ?? '' })).balance.balance;

test('one transaction of the owner makes a coin with the entered terms, and its first supply is in the admin wallet [R83]', async () => {
  const drafted = await draft();
  expect(drafted.body).toMatchObject({ ...TERMS, sender: ADMIN });
  expect(Number(drafted.body.gasMist)).toBeGreaterThan(1_000_000);
  const signed = await sign();
  const { status, body } = await publish(signed);
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...TERMS, state: 'made', note: null });
  expect(body.coinType).toMatch(/^0x[0-9a-f]{64}::snaps::SNAPS$/);
  expect(await unitsOf(body.coinType)).toBe('1000000000000');
  expect(await readCoin(chain.client, body.coinType ?? '')).toEqual({ symbol: 'REEF', decimals: 6 });
  expect(await state()).toEqual({ coinType: null, decimals: 6, sender: ADMIN, publication: body });
  // Pressed twice: the same coin.
  expect((await publish(signed)).body).toEqual(body);
  const audit = await panel.get<{ action: string; outcome: string }[]>('/api/admin/audit?q=coin.');
  expect(audit.body.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'coin.settle made',
    'coin.publish ok',
  ]);
});

test('the wallet that made the coin proves its ownership, mints more, and is shown as who can [R71 R83 R84]', async () => {
  const { coinType } = (await publish(await sign())).body;
  const [packageId = ''] = (coinType ?? '').split('::');
  const control = await findControl(chain.client, ADMIN, { coinType, packageId });
  expect(control?.objectType).toBe(`0x2::coin::TreasuryCap<${coinType}>`);
  const treasuryCap = control?.objectId ?? '';
  const minter = await readMinter(chain.client, coinType ?? '', AbortSignal.timeout(10_000));
  expect(minter).toEqual({ state: 'address', address: ADMIN, treasuryCap });
  const transaction = new Transaction();
  const minted = transaction.moveCall({
    target: '0x2::coin::mint',
    typeArguments: [coinType ?? ''],
    arguments: [transaction.object(treasuryCap), transaction.pure.u64(5n)],
  });
  transaction.transferObjects([minted], ADMIN);
  await chain.client.signAndExecuteTransaction({ transaction, signer: adminKey });
  expect(await unitsOf(coinType)).toBe('1000000000005');
});

test('a coin that was made is replaced on purpose only, and of two at the same time one is made [R83]', async () => {
  const [one, other] = [await sign(), await sign({ symbol: 'TIDE' })];
  const both = await Promise.all([publish(one), publish(other)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const made = both.find(({ status }) => status === 200)?.body;
  const again = await sign({ symbol: 'WAVE' });
  expect((await publish(again)).body).toMatchObject({
    error: 'coin_made',
    message: expect.stringContaining(made?.coinType ?? '?'),
  });
  expect((await publish(again, made?.digest)).body).toMatchObject({ symbol: 'WAVE', state: 'made' });
});

test('terms that the site or the chain could not use are refused by field before anything is signed [R83]', async () => {
  const refused: [Partial<typeof TERMS>, string, RegExp][] = [
    [{ decimals: 9 }, 'decimals', /SNAPS_DECIMALS is 6/],
    [{ name: 'REEF' }, 'name', /differs from the symbol/],
    [{ name: '' }, 'name', /1 to 32/],
    [{ name: 'x'.repeat(33) }, 'name', /1 to 32/],
    [{ name: 'a\u202Eb' }, 'name', /1 to 32/],
    [{ symbol: 'reef' }, 'symbol', /A to Z/],
    [{ symbol: '1REEF' }, 'symbol', /A to Z/],
    [{ firstSupply: 0 }, 'firstSupply', /at least 1/],
    [{ firstSupply: 18_446_744_073_710 }, 'firstSupply', /18,446,744,073,709 at most/],
  ];
  for (const [change, field, message] of refused) {
    const { status, body } = await draft(change);
    expect([change, status, body.field]).toEqual([change, 400, field]);
    expect(body.message).toMatch(message);
  }
  expect((await draft({ firstSupply: 18_446_744_073_709 })).status).toBe(200);
});

test('a signed transaction is sent only if it publishes our coin by the admin wallet, and does nothing else [R83]', async () => {
  const stranger = newWallet();
  await fund(chain, stranger.toSuiAddress());
  const good = await sign();
  const module = Buffer.from((await draft()).body.module, 'base64');
  module[module.indexOf('Earned')] = 'e'.charCodeAt(0);
  const changed = buildPublication({ sender: ADMIN, module: Uint8Array.from(module) });
  const pays = (transaction: Transaction) =>
    transaction.transferObjects([transaction.splitCoins(transaction.gas, [5n])], stranger.toSuiAddress());
  const refused: [{ bytes: string; signature: string }, string, RegExp][] = [
    [await sign({}, { key: stranger }), 'wrong_wallet', /another wallet/],
    [await sign({}, { edit: pays }), 'not_this_coin', /more, or less/],
    [await adminKey.signTransaction(await changed.build({ client: chain.client })), 'not_this_coin', /other bytes/],
    [{ ...good, signature: (await sign({}, { key: stranger })).signature }, 'wrong_signature', /Nothing was sent/],
    [{ ...good, bytes: 'AAAA' }, 'not_this_coin', /not a Sui transaction/],
  ];
  for (const [signed, error, message] of refused) {
    const response = await publish(signed);
    expect(response.body).toMatchObject({ error, message: expect.stringMatching(message) });
  }
  expect((await state()).publication).toBeNull();
});

test('a site that pays in a coin makes none [R83]', async () => {
  const signed = await sign();
  const set = await startServer(server.databaseUrl, { env: { ...env, SNAPS_COIN_TYPE: '0x5::snaps::SNAPS' } });
  try {
    const owner = await signInAsAdmin(set, adminKey);
    for (const [path, body] of [
      ['', TERMS],
      ['/execute', { ...signed, replaces: null }],
    ] as const)
      expect((await owner.post(`/api/admin/coin${path}`, body)).body).toMatchObject({ error: 'coin_set' });
  } finally {
    await set.close();
  }
  const payer = await signInAs(server, 'payer');
  expect((await payer.get('/api/admin/coin')).status).toBe(403);
});

test('the coin of a publication without an answer is found by its digest [R83]', async () => {
  const signed = await sign();
  proxy.fail('execute', 'unavailable', { isDone: true });
  proxy.fail('lookUp', 'unavailable');
  const { body } = await publish(signed);
  expect(body).toMatchObject({ state: 'sent', coinType: null });
  expect((await publish(await sign({ symbol: 'TIDE' }))).body).toMatchObject({ error: 'coin_sent' });
  proxy.heal();
  await recoverCoin(server.services);
  const found = (await state()).publication;
  expect(found).toMatchObject({ state: 'made', digest: body.digest });
  expect(await unitsOf(found?.coinType ?? null)).toBe('1000000000000');
});

test('a publication that never arrived is sent again, and one that stays unseen for a day is given up [R83]', async () => {
  proxy.fail('execute', 'unavailable');
  const { body } = await publish(await sign());
  expect(body.state).toBe('sent');
  await recoverCoin(server.services, Date.now() + 70_000);
  expect((await state()).publication).toMatchObject({ state: 'sent' });
  await recoverCoin(server.services, Date.now() + 25 * 3_600_000);
  expect((await state()).publication).toMatchObject({ state: 'failed', note: expect.stringContaining('within a day') });
  proxy.heal();
  expect((await publish(await sign())).body).toMatchObject({ state: 'made' });
});

test('a publication that fails on chain makes nothing, is shown as failed, and can be repeated [R83]', async () => {
  const poor = (transaction: Transaction) => transaction.setGasBudget(1_100_000);
  const { body } = await draft();
  const transaction = buildPublication({ sender: ADMIN, module: Uint8Array.from(Buffer.from(body.module, 'base64')) });
  poor(transaction);
  transaction.setGasPrice(1_000);
  const { objects } = await chain.client.core.listCoins({ owner: ADMIN, coinType: '0x2::sui::SUI' });
  transaction.setGasPayment(
    objects.slice(0, 1).map(({ objectId, version, digest }) => ({ objectId, version, digest })),
  );
  const failed = await publish(await adminKey.signTransaction(await transaction.build()));
  expect(failed.body).toMatchObject({
    state: 'failed',
    coinType: null,
    note: expect.stringContaining('failed on chain'),
  });
  expect((await publish(await sign())).body).toMatchObject({ state: 'made' });
});

test('a wallet without gas and a node that is away are named by the dry run [R83]', async () => {
  const poor = newWallet();
  const other = await startServer(server.databaseUrl, { env: { ...env, ADMIN_WALLET: poor.toSuiAddress() } });
  try {
    const owner = await signInAsAdmin(other, poor);
    expect((await owner.post('/api/admin/coin', TERMS)).body).toMatchObject({ error: 'no_gas' });
  } finally {
    await other.close();
  }
  await chain.control({ down: true });
  expect((await draft()).body).toMatchObject({ error: 'chain_unreachable' });
  await chain.control({ down: false });
});

test('npm run coin prints unsigned bytes, and makes the coin with their signature [R83]', async () => {
  const settings = { ...env, DATABASE_URL: server.databaseUrl, SUI_NETWORK: 'localnet', ADMIN_PASSWORD };
  const coin = (...args: string[]) => run('node', ['scripts/coin.ts', ...args], { env: settings });
  const printed = await coin('--name', TERMS.name, '--symbol', TERMS.symbol, '--supply', '1000000');
  expect(printed).toMatchObject({ code: 0, output: expect.stringContaining('Never tried on a real node') });
  const [, base64 = ''] = /--data (\S+)/.exec(printed.output) ?? [];
  expect(await coin('--bytes', base64)).toMatchObject({ code: 1, output: expect.stringContaining('together') });
  const forged = await newWallet().signTransaction(Buffer.from(base64, 'base64'));
  const refused = await coin('--bytes', base64, '--signature', forged.signature);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('not that of the admin wallet') });
  const { signature } = await adminKey.signTransaction(Buffer.from(base64, 'base64'));
  const made = await coin('--bytes', base64, '--signature', signature);
  expect(made.code).toBe(0);
  expect(made.output).toContain(`SNAPS_COIN_TYPE=${(await state()).publication?.coinType}`);
  expect((await coin('--symbol', 'reef')).code).toBe(1);
});
