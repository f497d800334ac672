import { describe, expect, it } from 'vitest';
import { signerFor } from './signing.ts';

const at = (digit: string) => `0x${digit.repeat(64)}`;
const one = { address: at('1') };
const two = { address: at('2') };
const features = ['standard:connect', 'sui:signTransaction', 'sui:signPersonalMessage'];
const wallet = { name: 'Slush', features, accounts: [one, two] };

describe('signerFor', () => {
  it('[S8.4] needs a wallet', () => {
    expect(() => signerFor({ wallet: null, account: null }, 'signTransaction', null)).toThrow(
      'No wallet is connected.',
    );
  });

  it('[S8.4] needs an account', () => {
    const message = 'No wallet account is selected to sign the transaction with.';
    expect(() => signerFor({ wallet, account: null }, 'signTransaction', null)).toThrow(message);
  });

  it('[S8.4] [S5.1] needs a wallet that can sign transactions', () => {
    const watching = { ...wallet, features: ['standard:connect'] };
    const message = "This wallet doesn't support the signTransaction feature.";
    expect(() => signerFor({ wallet: watching, account: one }, 'signTransaction', null)).toThrow(message);
  });

  it('[S5.1] takes the older feature for as good', () => {
    const older = { ...wallet, features: ['sui:signTransactionBlock'] };
    expect(signerFor({ wallet: older, account: one }, 'signTransaction', null)).toBe(one);
  });

  it("[S8.4] needs the session's account", () => {
    const message = `No account with address ${at('3')} is connected to Slush.`;
    expect(() => signerFor({ wallet, account: one }, 'signTransaction', at('3'))).toThrow(message);
  });

  it('[R2] signs with the account of the session, also when another one is selected', () => {
    expect(signerFor({ wallet, account: one }, 'signTransaction', at('2'))).toBe(two);
    expect(signerFor({ wallet, account: one }, 'signPersonalMessage', at('1').toUpperCase())).toBe(one);
    expect(signerFor({ wallet, account: one }, 'signTransaction', null)).toBe(one);
  });
});
