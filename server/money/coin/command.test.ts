import { Transaction } from '@mysten/sui/transactions';
import { beforeAll, expect, test } from 'vitest';
import { readBook } from '#chain/book.ts';
import { buildPublication } from '#chain/publication.ts';
import { fund, sharedChain } from '#lab/testing/chain.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { bookModule, type CoinServices, printUnsigned, sendSigned } from './command.ts';
import { makeModule } from './module.ts';

const chain = sharedChain();
const key = newWallet();
const ADMIN = key.toSuiAddress();
const TERMS = { name: 'Reef Snaps', symbol: 'REEF', firstSupply: 1_000_000 };
const services = (change: Partial<CoinServices['config']> = {}): CoinServices => ({
  sui: chain.client,
  config: { adminWallet: ADMIN, snapsCoinType: null, snapsDecimals: 6, snapsBook: null, ...change },
});

beforeAll(() => fund(chain, ADMIN));

const bytesIn = (lines: string[]): string => /--data (\S+)/.exec(lines.join('\n'))?.[1] ?? '';
async function signed(lines: string[], by = key): Promise<[bytes: string, signature: string]> {
  const { bytes, signature } = await by.signTransaction(Buffer.from(bytesIn(lines), 'base64'));
  return [bytes, signature];
}
const settingIn = (lines: string[], name: string): string =>
  new RegExp(`^${name}=(.+)$`, 'm').exec(lines.join('\n'))?.[1] ?? '';

test('two signatures make a coin and its Book, and more change its payers and owner [R83 R97]', async () => {
  const unsigned = await printUnsigned(services(), { coin: TERMS });
  expect(unsigned.join('\n')).toMatch(/REEF with 6 decimals and 1,000,000 Snaps[\s\S]+Never tried on a real node/);
  const next = await sendSigned(services(), ...(await signed(unsigned)));
  const snapsCoinType = settingIn(next, 'SNAPS_COIN_TYPE');
  expect(snapsCoinType).toMatch(/^0x[0-9a-f]{64}::snaps::SNAPS$/);
  const { balance } = await chain.client.core.getBalance({ owner: ADMIN, coinType: snapsCoinType });
  expect(balance.balance).toBe('1000000000000');
  // The same bytes again say the same.
  expect(settingIn(await sendSigned(services(), ...(await signed(unsigned))), 'SNAPS_COIN_TYPE')).toBe(snapsCoinType);
  const last = await sendSigned(services({ snapsCoinType }), ...(await signed(next)));
  const snapsBook = settingIn(last, 'SNAPS_BOOK');
  const made = services({ snapsCoinType, snapsBook });
  expect(await readBook(chain.client, snapsBook)).toMatchObject({
    owner: ADMIN,
    payers: [ADMIN],
    coinType: snapsCoinType,
  });
  const [payer, heir] = [newWallet().toSuiAddress(), newWallet().toSuiAddress()];
  await sendSigned(made, ...(await signed(await printUnsigned(made, { payers: [ADMIN, payer] }))));
  await sendSigned(made, ...(await signed(await printUnsigned(made, { owner: heir }))));
  expect(await readBook(chain.client, snapsBook)).toMatchObject({ owner: heir, payers: [ADMIN, payer] });
  await expect(printUnsigned(made, { payers: [ADMIN] })).rejects.toThrow(/owned by/);
});

test('a site that has a coin makes the Book alone [R97]', async () => {
  const withCoin = services({ snapsCoinType: '0x2::sui::SUI' });
  await expect(printUnsigned(withCoin, { coin: TERMS })).rejects.toThrow(/coin -- book/);
  await expect(printUnsigned(services(), { book: true })).rejects.toThrow(/--name/);
  const next = await sendSigned(withCoin, ...(await signed(await printUnsigned(withCoin, { book: true }))));
  expect(settingIn(next, 'SNAPS_COIN_TYPE')).toBe('');
  const id = settingIn(await sendSigned(withCoin, ...(await signed(next))), 'SNAPS_BOOK');
  expect(await readBook(chain.client, id)).toMatchObject({ owner: ADMIN });
});

test("the command sends only what it would print, with the signature of the admin's wallet [R83]", async () => {
  const other = newWallet();
  const unsigned = await printUnsigned(services(), { coin: TERMS });
  const [bytes] = await signed(unsigned);
  await expect(sendSigned(services(), ...(await signed(unsigned, other)))).rejects.toThrow(/not that of ADMIN_WALLET/);
  await expect(
    sendSigned(services({ adminWallet: other.toSuiAddress() }), ...(await signed(unsigned))),
  ).rejects.toThrow(/another wallet/);
  await expect(sendSigned(services({ snapsDecimals: 9 }), ...(await signed(unsigned)))).rejects.toThrow(/not what/);
  await expect(sendSigned(services(), bytes.slice(8), 'AA==')).rejects.toThrow(/not a Sui transaction/);
  const sign = async (transaction: Transaction): Promise<[string, string]> => {
    const { bytes: built, signature } = await key.signTransaction(await transaction.build({ client: chain.client }));
    return [built, signature];
  };
  const more = buildPublication(ADMIN, { coin: await makeModule({ ...TERMS, decimals: 6 }), book: await bookModule() });
  more.transferObjects([more.splitCoins(more.gas, [1])], other.toSuiAddress());
  await expect(sendSigned(services(), ...(await sign(more)))).rejects.toThrow(/not what/);
  const payment = new Transaction();
  payment.setSender(ADMIN);
  payment.transferObjects([payment.splitCoins(payment.gas, [1])], other.toSuiAddress());
  await expect(sendSigned(services(), ...(await sign(payment)))).rejects.toThrow();
});

test('terms that a coin cannot have are refused [R83]', async () => {
  for (const wrong of [{ symbol: 'reef' }, { name: '' }, { firstSupply: 0 }, { name: 'REEF' }])
    await expect(printUnsigned(services(), { coin: { ...TERMS, ...wrong } })).rejects.toThrow(/Enter/);
});
