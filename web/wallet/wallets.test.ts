import { describe, expect, it } from 'vitest';
import { orderWallets, suiAccounts } from './wallets.ts';

describe('orderWallets', () => {
  const features = ['standard:connect', 'sui:signPersonalMessage'];
  const named = (...names: string[]) => names.map((name) => ({ name, features }));

  it("puts 'Sui Wallet' and 'Slush' first, as they register themselves, and leaves the others in their order [S9.13 R22]", () => {
    const wallets = named('Sandbox Wallet', 'Nightly', 'Slush — A Sui wallet', 'Backpack', 'Sui Wallet', 'Slushy');
    expect(orderWallets(wallets).map(({ name }) => name)).toEqual([
      'Sui Wallet',
      'Slush — A Sui wallet',
      'Sandbox Wallet',
      'Nightly',
      'Backpack',
      'Slushy',
    ]);
  });

  it('puts wallets that sign no messages last, preferred ones too [R1]', () => {
    const mute = { name: 'Slush', features: ['standard:connect', 'sui:signTransaction'] };
    expect(orderWallets([mute, ...named('Nightly')]).map(({ name }) => name)).toEqual(['Nightly', 'Slush']);
  });

  it('keeps two wallets of one name: either may be the real one', () => {
    const wallets = named('Slush', 'Slush').map((wallet, id) => ({ ...wallet, id }));
    expect(orderWallets(wallets)).toEqual(wallets);
  });
});

describe('suiAccounts', () => {
  it('keeps only accounts that support the sui chain of the site [S5.1]', () => {
    const both = { chains: ['solana:mainnet', 'sui:devnet', 'sui:mainnet'] };
    const solana = { chains: ['solana:mainnet'] };
    const elsewhere = { chains: ['sui:mainnet'] };
    expect(suiAccounts([solana, both, elsewhere], 'devnet')).toEqual([both]);
  });
});
