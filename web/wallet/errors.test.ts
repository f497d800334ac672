import { WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED, WalletStandardError } from '@mysten/wallet-standard';
import { describe, expect, it } from 'vitest';
import { isUserRejection, walletErrorText } from './errors.ts';

describe('isUserRejection', () => {
  it.each([
    new WalletStandardError(WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED),
    Object.assign(new Error('Request failed'), { code: 4001 }),
    { code: '4001' },
    new Error('Rejected from user'),
    new Error('User denied transaction signature'),
    new Error('Popup closed by user'),
    'User rejected the request',
  ])('recognizes a rejection by the user: %s', (error) => {
    expect(isUserRejection(error)).toBe(true);
  });

  it.each([new Error('Network unreachable'), { code: -32000 }, null, 'offline', undefined])('not: %s', (error) => {
    expect(isUserRejection(error)).toBe(false);
  });
});

describe('walletErrorText', () => {
  it('names a rejection by the user, repeats short messages, and falls back where there is none', () => {
    expect(walletErrorText(new Error('User rejected'), 'x')).toBe('You declined the request in your wallet.');
    expect(walletErrorText(new Error('The wallet is locked'), 'x')).toBe('The wallet is locked');
    expect(walletErrorText(new Error('y'.repeat(201)), 'It did not work.')).toBe('It did not work.');
    expect(walletErrorText({}, 'It did not work.')).toBe('It did not work.');
  });
});
