import { describe, expect, it } from 'vitest';
import { orderWallets, suiAccounts } from './wallets.ts';

describe('orderWallets', () => {
  const named = (...names: string[]) => names.map((name) => ({ name }));

  it("[S9.13] [R22] puts 'Sui Wallet' and 'Slush' first and leaves the others in their order", () => {
    const wallets = named('Nightly', 'Slush', 'Backpack', 'Sui Wallet', 'Aurora');
    expect(orderWallets(wallets).map(({ name }) => name)).toEqual([
      'Sui Wallet',
      'Slush',
      'Nightly',
      'Backpack',
      'Aurora',
    ]);
  });

  it('leads with the Sandbox Wallet, which exists on localnet only', () => {
    expect(orderWallets(named('Slush', 'Sandbox Wallet')).map(({ name }) => name)).toEqual(['Sandbox Wallet', 'Slush']);
  });

  it('keeps two wallets of one name: either may be the real one', () => {
    const wallets = [
      { name: 'Slush', id: 'a' },
      { name: 'Slush', id: 'b' },
    ];
    expect(orderWallets(wallets)).toEqual(wallets);
  });
});

describe('suiAccounts', () => {
  it('[S5.1] keeps only accounts that support the sui chain of the site', () => {
    const both = { chains: ['solana:mainnet', 'sui:devnet', 'sui:mainnet'] };
    const solana = { chains: ['solana:mainnet'] };
    const elsewhere = { chains: ['sui:mainnet'] };
    expect(suiAccounts([solana, both, elsewhere], 'devnet')).toEqual([both]);
  });
});
