// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Transaction } from '@mysten/sui/transactions';
import { type CoinPublication, prepareCoin, getCoin } from '#shared/contract/coin.ts';
import { NEVER_TRIED } from '#shared/coin-rules.ts';
import { readPublication, rebuild } from '#chain/publication.ts';
import { ADDRESS, SITE, TIME } from '../../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { adminToken } from '../admin-session.ts';
import { CoinTab } from './coin-tab.tsx';
import { publishCoin } from './publish.ts';

const server = useTestPage();
const TERMS = { name: 'Reef Snaps', symbol: 'REEF', decimals: 6, firstSupply: 1_000_000 };
const STATE = { coinType: null, decimals: 6, sender: SITE.adminWallet, publication: null };
const COIN = `0x${'5'.repeat(64)}::snaps::SNAPS`;
const MADE: CoinPublication = {
  ...TERMS,
  digest: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  state: 'made',
  coinType: COIN,
  note: null,
  createdAt: TIME,
};

beforeEach(() => adminToken.set('token'));

async function fill(fields: Record<string, string>): Promise<ReturnType<typeof userEvent.setup>> {
  const user = userEvent.setup();
  for (const [label, text] of Object.entries(fields)) {
    const input = await screen.findByLabelText(label);
    await user.clear(input);
    if (text !== '') await user.type(input, text);
  }
  await user.click(screen.getByRole('button', { name: 'Preview with a dry run' }));
  return user;
}

test('the form names each wrong field, and asks for a dry run of the right terms [R83]', async () => {
  server().respond(getCoin, STATE);
  draw(<CoinTab />);
  await fill({ Name: 'REEF', Symbol: 'REEF', Decimals: '9', 'First supply': '1,5' });
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('differs from the symbol'),
    expect.stringContaining('SNAPS_DECIMALS is 6'),
    expect.stringContaining('whole Snaps'),
  ]);
  server().respond(prepareCoin, { ...TERMS, module: 'AAAA', sender: SITE.adminWallet, gasMist: '21500000' });
  const user = await fill({ Name: ' Reef Snaps ', Decimals: '6', 'First supply': '1000000' });
  expect(await screen.findByText('0.0215 SUI')).toBeVisible();
  expect(
    server()
      .calls(prepareCoin)
      .map(({ body }) => body),
  ).toEqual([TERMS]);
  const warning = screen.getByRole('region', { name: 'Never tried on a real node' });
  expect(within(warning).getAllByRole('listitem')).toHaveLength(NEVER_TRIED.length);
  await user.click(screen.getByRole('button', { name: 'Change' }));
  expect(screen.getByRole('button', { name: 'Preview with a dry run' })).toBeVisible();
});

test('a dry run that fails says why, and keeps what was entered [R83]', async () => {
  server().respond(getCoin, STATE);
  server().reject(prepareCoin, 409, { error: 'no_gas', message: 'The admin wallet holds too little SUI' });
  draw(<CoinTab />);
  await fill({ Name: 'Reef Snaps', Symbol: 'REEF', 'First supply': '5' });
  expect((await toastShown()).description).toBe('The admin wallet holds too little SUI');
  expect(screen.getByLabelText('Name')).toHaveValue('Reef Snaps');
});

test.each<[string, Partial<CoinPublication>, string, boolean]>([
  ['was made', {}, `SNAPS_COIN_TYPE=${COIN}`, false],
  ['is on its way', { state: 'sent', coinType: null }, 'The chain has not answered yet', false],
  ['failed', { state: 'failed', coinType: null, note: 'The transaction failed on chain' }, 'failed on chain', true],
])('a coin that %s is shown with what to do next [R83]', async (_what, change, text, hasForm) => {
  server().respond(getCoin, { ...STATE, publication: { ...MADE, ...change } });
  draw(<CoinTab />);
  const card = await screen.findByRole('region', { name: 'Reef Snaps (REEF)' });
  const setting = within(card).queryByLabelText('Setting of the server');
  expect(setting instanceof HTMLTextAreaElement ? setting.value : card.textContent).toContain(text);
  expect(screen.queryByRole('button', { name: 'Preview with a dry run' }) !== null).toBe(hasForm);
});

test('a transaction that is not the previewed coin never reaches the wallet [R83]', async () => {
  let asked = 0;
  const loadWallet = async () => ({
    signTransaction: () => {
      asked += 1;
      return Promise.reject(new Error('asked'));
    },
  });
  const built = (make: (transaction: Transaction) => void) => () => {
    const transaction = new Transaction();
    transaction.setSender(SITE.adminWallet);
    transaction.setGasPrice(1);
    transaction.setGasBudget(1);
    transaction.setGasPayment([{ objectId: ADDRESS, version: '1', digest: MADE.digest }]);
    make(transaction);
    return transaction;
  };
  const send = (build: () => Transaction) =>
    publishCoin({ module: 'AAAA', sender: SITE.adminWallet }, null, {
      loadWallet,
      loadPublication: async () => ({ buildPublication: build, readPublication, rebuild }),
    });
  const pays = built((transaction) =>
    transaction.transferObjects([transaction.splitCoins(transaction.gas, [1])], ADDRESS),
  );
  await expect(send(pays)).rejects.toThrow('Nothing was signed');
  const other = built((transaction) => {
    const cap = transaction.publish({ modules: [[1, 2, 3]], dependencies: ['0x1', '0x2'] });
    transaction.transferObjects([cap], SITE.adminWallet);
  });
  await expect(send(other)).rejects.toThrow('not the coin of the preview');
  expect(asked).toBe(0);
  const right = built((transaction) => {
    const cap = transaction.publish({ modules: [[0, 0, 0]], dependencies: ['0x1', '0x2'] });
    transaction.transferObjects([cap], SITE.adminWallet);
  });
  await expect(send(right)).rejects.toThrow('asked');
});
