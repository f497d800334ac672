import type { Wallet } from '@mysten/wallet-standard';
import { expect, it, vi } from 'vitest';
import { needsStandIn, SENDS_ONLY, standInFor } from './send-only.ts';

const account = { address: '0x1', publicKey: new Uint8Array(32), chains: ['sui:devnet'], features: ['sui:x'] } as const;

function wallet(...names: `${string}:${string}`[]) {
  const listeners: ((change: { accounts: object[] }) => void)[] = [];
  const sign = vi.fn<(input: { account?: object }) => Promise<object>>((input) => Promise.resolve(input));
  const made: Wallet = {
    version: '1.0.0',
    name: 'Sender',
    icon: 'data:image/png;base64,',
    chains: ['sui:devnet'],
    accounts: [account],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: (change: object) => void) => listeners.push(listener),
      },
      ...Object.fromEntries(names.map((name) => [name, { version: '2.0.0', sign }])),
    },
  };
  return { made, listeners, sign };
}

it('stands in for wallets that the kit leaves out, and for no other [R17]', () => {
  expect(needsStandIn(wallet('sui:signAndExecuteTransaction').made)).toBe(true);
  expect(needsStandIn(wallet('sui:signPersonalMessage').made)).toBe(true);
  expect(needsStandIn(wallet('sui:signTransaction').made)).toBe(false);
  expect(needsStandIn(wallet('sui:signTransactionBlock').made)).toBe(false);
  expect(needsStandIn({ features: { 'sui:signAndExecuteTransaction': {} } })).toBe(false);
  expect(needsStandIn(standInFor(wallet().made))).toBe(false);
});

it('says in the words of S8.4 what it cannot do [S8.4]', async () => {
  const { features } = standInFor(wallet('sui:signAndExecuteTransaction').made);
  expect(SENDS_ONLY in features).toBe(true);
  const { signTransaction } = features['sui:signTransaction'] as { signTransaction: () => Promise<never> };
  await expect(signTransaction()).rejects.toThrow("This wallet doesn't support the signTransaction feature.");
});
