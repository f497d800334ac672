import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { fromBase64 } from '@mysten/sui/utils';
import { verifyTransactionSignature } from '@mysten/sui/verify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSuiClient } from '#chain/client.ts';
import { isUserRejection } from '../errors.ts';
import type { Approval, ApprovalRequest } from './approvals.ts';
import { fetchDemoAccounts } from './chain-access.ts';
import { createKeyring } from './keyring.ts';
import { SandboxWallet } from './sandbox-wallet.ts';

const RECIPIENT = `0x${'7'.repeat(64)}`;
const DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';

function setUp() {
  let text: string | null = null;
  const keyring = createKeyring({ read: () => text, write: (next) => void (text = next) });
  const client = createSuiClient({ network: 'localnet', url: 'http://127.0.0.1:1' });
  const ask = vi.fn<(request: ApprovalRequest) => Promise<Approval | null>>();
  const fund = vi.fn<(address: string) => Promise<void>>().mockResolvedValue();
  const demo = { label: 'Sandbox admin', secretKey: new Ed25519Keypair().getSecretKey() };
  const wallet = new SandboxWallet({ keyring, client, ask, fund, demoAccounts: () => Promise.resolve([demo]) });
  ask.mockImplementation((request) => Promise.resolve({ address: request.kind === 'connect' ? request.chosen : '' }));
  return { wallet, keyring, client, ask, fund };
}

async function connected() {
  const parts = setUp();
  const { accounts } = await parts.wallet.features['standard:connect'].connect();
  const [account] = accounts;
  if (!account) throw new Error('no account');
  return { ...parts, account };
}

/** A payment of 15 SUI that needs no chain to be built. */
function payment(sender: string): Transaction {
  const transaction = new Transaction();
  const [coin] = transaction.splitCoins(transaction.gas, [15_000_000_000n]);
  transaction.transferObjects([coin], RECIPIENT);
  transaction.setSender(sender);
  transaction.setGasPrice(1000);
  transaction.setGasBudget(5_000_000);
  transaction.setGasPayment([{ objectId: RECIPIENT, version: '1', digest: DIGEST }]);
  transaction.setExpiration({ None: true });
  return transaction;
}

type Simulation = Awaited<ReturnType<ReturnType<typeof setUp>['client']['simulateTransaction']>>;
function simulated(sender: string): Simulation {
  const gasUsed = { computationCost: '1000000', storageCost: '2000000', storageRebate: '500000' };
  const change = (address: string, amount: string) => ({ address, amount, coinType: '0x2::sui::SUI' });
  const balanceChanges = [change(sender, '-15002500000'), change(RECIPIENT, '15000000000')];
  return { Transaction: { status: { success: true, error: null }, effects: { gasUsed }, balanceChanges } } as never;
}

describe('the Sandbox Wallet', () => {
  it('shares nothing after a rejection, nor silently before that [S4.1]', async () => {
    const { wallet, ask } = setUp();
    ask.mockResolvedValue(null);
    const connecting = Promise.resolve(wallet.features['standard:connect'].connect());
    expect(isUserRejection(await connecting.catch((error: unknown) => error))).toBe(true);
    expect(await wallet.features['standard:connect'].connect({ silent: true })).toEqual({ accounts: [] });
    expect(wallet.accounts).toEqual([]);
  });

  it('signs a transaction after showing amount, recipient and fee [R16]', async () => {
    const { wallet, account, ask, client } = await connected();
    vi.spyOn(client, 'simulateTransaction').mockResolvedValue(simulated(account.address));
    const transaction = payment(account.address);
    const input = { transaction, account, chain: 'sui:localnet' } as const;
    const signed = await wallet.features['sui:signTransaction'].signTransaction(input);
    await verifyTransactionSignature(fromBase64(signed.bytes), signed.signature, { address: account.address });
    expect(fromBase64(signed.bytes)).toEqual(await transaction.build());
    expect(ask.mock.lastCall?.[0]).toMatchObject({
      kind: 'transaction',
      sends: false,
      summary: {
        payments: [{ recipient: RECIPIENT, amount: 15_000_000_000n }],
        feeMist: 2_500_000n,
        failure: null,
      },
    });
  });

  it('signs nothing after a rejection, and nothing for an account that is not connected', async () => {
    const { wallet, account, ask } = await connected();
    const sign = wallet.features['sui:signPersonalMessage'].signPersonalMessage;
    ask.mockResolvedValueOnce(null);
    const message = new Uint8Array([1]);
    expect(isUserRejection(await sign({ message, account }).catch((error: unknown) => error))).toBe(true);
    await wallet.features['standard:disconnect']?.disconnect();
    await expect(sign({ message, account })).rejects.toThrow('This account is not connected.');
  });
});

describe('accounts that the sandbox chain offers', () => {
  const fetched = vi.fn<(url: URL) => Promise<Response>>();
  const offer = (body: unknown, status = 200) =>
    fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status }));
  beforeEach(() => vi.stubGlobal('fetch', fetched.mockReset()));
  afterEach(() => vi.unstubAllGlobals());

  it('do not exist on a real local network, whatever responds there', async () => {
    expect(await fetchDemoAccounts(null)).toEqual([]);
    expect(fetched).not.toHaveBeenCalled();
    offer({ accounts: [{ label: 'of an error', secretKey: 'k' }] }, 404);
    expect(await fetchDemoAccounts('http://127.0.0.1:9123')).toEqual([]);
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await fetchDemoAccounts('http://127.0.0.1:9123')).toEqual([]);
  });
});
