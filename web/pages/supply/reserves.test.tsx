// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Reserves as Found } from '#shared/contract/supply.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { ADDRESS, TIME } from '../../testing/made-up.ts';
import { useTestPage } from '../../testing/screen.tsx';
import { coveredPercent, Reserves } from './reserves.tsx';

useTestPage();
const BOOK = `0x${'b'.repeat(64)}`;
const READING: NonNullable<Found['reading']> = {
  wallets: [{ role: 'admin', address: ADDRESS, held: 70 }],
  held: 70,
  minter: { state: 'address', address: `0x${'a'.repeat(64)}`, treasuryCap: `0x${'c'.repeat(64)}` },
  books: [{ id: BOOK, paid: 90 }],
  known: 60,
  ahead: 30,
  isRestored: true,
  asOf: TIME,
};
const COIN = '0x5::snaps::SNAPS';

test('only a full cover reads 100% [R84]', () => {
  expect([coveredPercent(0, 0), coveredPercent(5, 5), coveredPercent(9_999, 10_000), coveredPercent(0, 1)]).toEqual([
    100, 100, 99, 0,
  ]);
});

test('the page says what is covered, by which wallets, who can mint, and what was paid ahead [R84 R42]', () => {
  render(<Reserves reserves={{ coinType: COIN, reading: READING }} owed={100} />);
  const card = screen.getByRole('region', { name: 'Reserves' });
  expect(card).toHaveTextContent('70% of what could be withdrawn today is covered: 100 Snaps owed, 70 Snaps held');
  expect(card).toHaveTextContent(`Admin wallet: 70 Snaps${shortenAddress(ADDRESS)}`);
  expect(card).toHaveTextContent('can mint more:0xaaaa...aaaa');
  expect(card).toHaveTextContent('Coin0x5::snaps::SNAPS');
  expect(card).toHaveTextContent('90 Snaps were paid. 30 of them before a restored backup, whose books lack them');
  expect(card).toHaveTextContent(`Book: 90 Snaps paid${shortenAddress(BOOK)}`);
});

test.each<[string, Found | null, string]>([
  ['cannot read the chain', { coinType: COIN, reading: null }, '? The chain cannot be read right now'],
  ['has no coin', null, 'pays by hand'],
])('a site that %s shows it on its supply page [R84]', (_what, reserves, text) => {
  render(<Reserves reserves={reserves} owed={100} />);
  expect(screen.getByRole('region', { name: 'Reserves' })).toHaveTextContent(text);
});
