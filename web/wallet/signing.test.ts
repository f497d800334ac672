import { describe, expect, it } from 'vitest';
import { SENDS_ONLY } from './send-only.ts';
import { signerFor } from './signing.ts';

const at = (digit: string) => `0x${digit.repeat(64)}`;
const one = { address: at('1') };
const two = { address: at('2') };
const features = ['standard:connect', 'sui:signTransaction', 'sui:signPersonalMessage'];
const wallet = { name: 'Slush', features, accounts: [one, two] };

describe('signerFor', () => {
  it('needs a wallet [S8.4]', () => {
    expect(() => signerFor({ wallet: null, account: null }, 'signTransaction', null)).toThrow(
      'No wallet is connected.',
    );
  });

  it('needs an account [S8.4]', () => {
    const message = 'No wallet account is selected to sign the transaction with.';
    expect(() => signerFor({ wallet, account: null }, 'signTransaction', null)).toThrow(message);
  });

  it('needs a wallet that can sign transactions [S8.4 S5.1]', () => {
    const watching = { ...wallet, features: ['standard:connect'] };
    const message = "This wallet doesn't support the signTransaction feature.";
    expect(() => signerFor({ wallet: watching, account: one }, 'signTransaction', null)).toThrow(message);
  });

  it('lets a wallet that signs only what it sends still sign messages [R17]', () => {
    const sender = { ...wallet, features: [...features, SENDS_ONLY] };
    expect(signerFor({ wallet: sender, account: one }, 'signPersonalMessage', null)).toBe(one);
    expect(() => signerFor({ wallet: sender, account: one }, 'signTransaction', null)).toThrow(/signTransaction/);
  });

  it('takes the older feature for as good [S5.1]', () => {
    const older = { ...wallet, features: ['sui:signTransactionBlock'] };
    expect(signerFor({ wallet: older, account: one }, 'signTransaction', null)).toBe(one);
  });

  it("needs the session's account [S8.4]", () => {
    const message = `No account with address ${at('3')} is connected to Slush.`;
    expect(() => signerFor({ wallet, account: one }, 'signTransaction', at('3'))).toThrow(message);
  });

  it('signs with the account of the session, also when another one is selected [R2]', () => {
    expect(signerFor({ wallet, account: one }, 'signTransaction', at('2'))).toBe(two);
    expect(signerFor({ wallet, account: one }, 'signPersonalMessage', at('1').toUpperCase())).toBe(one);
    expect(signerFor({ wallet, account: one }, 'signTransaction', null)).toBe(one);
  });
});
