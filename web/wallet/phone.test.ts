import { expect, test } from 'vitest';
import { choicesOf, isPhone, slushLink, SLUSH_WEB_ID } from './phone.ts';

const ANDROID = { userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile Safari/537.36', maxTouchPoints: 5 };
const DESKTOP = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0', maxTouchPoints: 0 };
const PAGE = 'https://snapswipe.example/projects/tide';

test.each([
  ['https://snapswipe.example/', 'https://my.slush.app/browse/https://snapswipe.example/'],
  [PAGE, 'https://my.slush.app/browse/https://snapswipe.example/projects/tide'],
  [
    'https://snapswipe.example:8443/leaderboard',
    'https://my.slush.app/browse/https://snapswipe.example:8443/leaderboard',
  ],
  // Slush would take a query for its own, and a fragment for one of its pages.
  [
    'https://snapswipe.example/leaderboard?sort=verified&category=DeFi#main',
    'https://my.slush.app/browse/https://snapswipe.example/leaderboard%3Fsort%3Dverified%26category%3DDeFi',
  ],
  [
    'https://snapswipe.example/leaderboard?search=caf%C3%A9%20x',
    'https://my.slush.app/browse/https://snapswipe.example/leaderboard%3Fsearch%3Dcaf%25C3%25A9%2520x',
  ],
])('the page %s opens in Slush by its documented link [R77]', (page, link) => {
  expect(slushLink(page)).toBe(link);
  const { pathname, search } = new URL(page);
  expect(decodeURIComponent(new URL(link).pathname)).toContain(decodeURIComponent(pathname));
  expect(new URL(decodeURIComponent(link).slice('https://my.slush.app/browse/'.length)).search).toBe(search);
});

test.each([
  ['an Android phone', ANDROID, true],
  ['an iPhone', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', maxTouchPoints: 5 }, true],
  ['an iPad', { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', maxTouchPoints: 5 }, true],
  ['a Mac', { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', maxTouchPoints: 0 }, false],
  ['a laptop with a touch screen', { ...DESKTOP, maxTouchPoints: 10 }, false],
])('%s is recognized', (_name, device, expected) => {
  expect(isPhone(device)).toBe(expected);
});

const wallet = (name: string, id = name, isMute = false) => ({ name, id, isMute });
const web = wallet('Slush', SLUSH_WEB_ID);
const nightly = wallet('Nightly');
const choose = (
  wallets: readonly ReturnType<typeof wallet>[],
  device = ANDROID,
  network: 'testnet' | 'localnet' = 'testnet',
) => {
  const asked = { wallets, device, network, page: PAGE };
  const { slushLink: link, wallets: shown } = choicesOf({
    ...asked,
    idOf: ({ id }) => id,
    canSignIn: ({ isMute }) => !isMute,
  });
  return [link, ...shown.map(({ name }) => name)];
};

test('a phone without a wallet offers the page in Slush first, then the web wallet [R77]', () => {
  expect(choose([web])).toEqual([slushLink(PAGE), 'Slush']);
});

test("the link to Slush carries the page's votes in place of its own fragment, escaped [R76 R77]", () => {
  expect(slushLink(`${PAGE}?a=1#main`, '#votes=12.1.bullish.1795824000')).toBe(
    `https://my.slush.app/browse/${PAGE}%3Fa%3D1%23votes%3D12.1.bullish.1795824000`,
  );
});

test('a phone with a wallet offers that wallet first [R77]', () => {
  expect(choose([web, nightly])).toEqual([null, 'Nightly', 'Slush']);
});

test('a phone whose wallet cannot sign in counts as without a wallet [R77 R1]', () => {
  expect(choose([web, wallet('Mute', 'mute', true)])).toEqual([slushLink(PAGE), 'Slush', 'Mute']);
});

test('a computer, and a local chain with its built-in wallet, keep the usual choices [R22]', () => {
  expect(choose([web, nightly], DESKTOP)).toEqual([null, 'Slush', 'Nightly']);
  expect(choose([wallet('Sandbox Wallet')], ANDROID, 'localnet')).toEqual([null, 'Sandbox Wallet']);
});
