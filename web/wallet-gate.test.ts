// @vitest-environment happy-dom
/** The code of the wallet: loaded once, and again after a failure. */
import { afterEach, expect, test, vi } from 'vitest';
import { allowInConsole, useTestPage } from './testing/screen.tsx';
import { connectDialogOpen } from './lib/wallet-state.ts';
import { loadWallet, openConnectDialog, preloadWallet, walletCode } from './wallet-gate.ts';

useTestPage();
afterEach(() => connectDialogOpen.set(false));

test('that failed to load is fetched again by the next call, and kept from then on', async () => {
  allowInConsole(/^The wallet code could not be loaded/);
  expect(walletCode.get()).toBe('idle');
  vi.doMock('./wallet/wallet-module.ts', () => {
    throw new Error('gone');
  });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  // A guess that fails is no failure yet.
  preloadWallet();
  expect(walletCode.get()).toBe('loading');
  await vi.waitFor(() => expect(walletCode.get()).toBe('failed'));
  expect(console.error).not.toHaveBeenCalled();
  vi.doUnmock('./wallet/wallet-module.ts');
  openConnectDialog();
  expect(connectDialogOpen.get()).toBe(true);
  expect(walletCode.get()).toBe('loading');
  const module = await loadWallet();
  expect(walletCode.get()).toBe(module);
  expect(await loadWallet()).toBe(module);
});
