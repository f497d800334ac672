import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { afterEach, beforeEach, describe, expect, vi, test } from 'vitest';
import { createSuiClient } from '#chain/client.ts';
import { isUserRejection } from '../errors.ts';
import type { Approval, ApprovalRequest } from './approvals.ts';
import { type DemoAccount, fetchDemoAccounts } from './chain-access.ts';
import { createKeyring } from './keyring.ts';
import { SandboxWallet } from './sandbox-wallet.ts';

const accountOf = (label: string) => {
  const key = new Ed25519Keypair();
  return { label, address: key.toSuiAddress(), secretKey: key.getSecretKey() };
};
const [ADMIN, VOTER, OWNER] = ['Sandbox admin', 'A voter', 'An owner'].map(accountOf) as [
  DemoAccount,
  DemoAccount,
  DemoAccount,
];

function setUp(offered = [ADMIN]) {
  let text: string | null = null;
  const keyring = createKeyring({ read: () => text, write: (next) => void (text = next) });
  const client = createSuiClient({ network: 'localnet', url: 'http://127.0.0.1:1' });
  const ask = vi.fn<(request: ApprovalRequest) => Promise<Approval | null>>();
  const fund = vi.fn<(address: string) => Promise<void>>().mockResolvedValue();
  const wallet = new SandboxWallet({
    balances: async () => '',
    keyring,
    client,
    ask,
    fund,
    demoAccounts: () => Promise.resolve(offered),
  });
  ask.mockImplementation((request) => Promise.resolve({ address: request.kind === 'connect' ? request.chosen : '' }));
  return { wallet, ask, keyring };
}

async function connected() {
  const parts = setUp();
  const { accounts } = await parts.wallet.features['standard:connect'].connect();
  const [account] = accounts;
  if (!account) throw new Error('no account');
  return { ...parts, account };
}

test('the Sandbox Wallet shares nothing after a rejection, nor silently before an approval [S4.1]', async () => {
  const { wallet, ask } = setUp();
  ask.mockResolvedValue(null);
  const connecting = Promise.resolve(wallet.features['standard:connect'].connect());
  expect(isUserRejection(await connecting.catch((error: unknown) => error))).toBe(true);
  expect(await wallet.features['standard:connect'].connect({ silent: true })).toEqual({ accounts: [] });
  expect(wallet.accounts).toEqual([]);
});

test('the Sandbox Wallet of the demo offers a new account and those of the demo, and keeps the chosen one [R79]', async () => {
  const { wallet, ask, keyring } = setUp([ADMIN, VOTER, OWNER]);
  ask.mockResolvedValue({ address: VOTER.address });
  const labels = ['New', 'A voter', 'An owner'];
  for (let time = 0; time < 2; time += 1) {
    const { accounts } = await wallet.features['standard:connect'].connect();
    expect(ask.mock.lastCall?.[0]).toMatchObject({ accounts: labels.map((label) => ({ label })), admin: ADMIN });
    expect(accounts[0]?.address).toBe(VOTER.address);
  }
  expect(keyring.list().map(({ label }) => label)).toEqual(['New', 'A voter']);
});

test('the Sandbox Wallet of a chain without the demo offers one account of its own, and the admin [R79]', async () => {
  const { wallet, ask } = setUp();
  await wallet.features['standard:connect'].connect();
  expect(ask.mock.lastCall?.[0]).toMatchObject({ accounts: [{ label: 'Account 1' }], admin: ADMIN });
});

test('the Sandbox Wallet signs nothing after a rejection, or for an account that is not connected', async () => {
  const { wallet, account, ask } = await connected();
  const sign = wallet.features['sui:signPersonalMessage'].signPersonalMessage;
  ask.mockResolvedValueOnce(null);
  const message = new Uint8Array([1]);
  expect(isUserRejection(await sign({ message, account }).catch((error: unknown) => error))).toBe(true);
  await wallet.features['standard:disconnect']?.disconnect();
  await expect(sign({ message, account })).rejects.toThrow('This account is not connected.');
});

describe('accounts that the sandbox chain offers', () => {
  const fetched = vi.fn<(url: URL) => Promise<Response>>();
  const offer = (body: unknown, status = 200) =>
    fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status }));
  beforeEach(() => vi.stubGlobal('fetch', fetched.mockReset()));
  afterEach(() => vi.unstubAllGlobals());

  test('a real local network offers no demo accounts', async () => {
    expect(await fetchDemoAccounts(null)).toEqual([]);
    expect(fetched).not.toHaveBeenCalled();
    offer({ accounts: [{ label: 'of an error', secretKey: 'k' }] }, 404);
    expect(await fetchDemoAccounts('http://127.0.0.1:9123')).toEqual([]);
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await fetchDemoAccounts('http://127.0.0.1:9123')).toEqual([]);
  });
});
