// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getSupply } from '#shared/contract/supply.ts';
import { TIME } from '../../testing/made-up.ts';
import { draw, useTestPage } from '../../testing/screen.tsx';
import { SupplyPage } from './supply-page.tsx';

const server = useTestPage();

test('names all that burns Snaps beside their sum [R16]', async () => {
  const sums = {
    issued: 10_100,
    granted: 0,
    burned: 10_100,
    held: 0,
    paid: 0,
    circulating: 0,
    balances: 0,
    differing: 0,
  };
  const asOf = { checkedAt: TIME, asOf: TIME, liabilities: 0, holders: 0, entries: 3, recorded: null };
  server().respond(getSupply, { ...sums, ...asOf });
  draw(<SupplyPage />);
  expect(await screen.findByText('Destroyed by reviews, sentences, deleted accounts')).toBeVisible();
  expect(screen.getByText(/every review and sentence burns some/)).toBeVisible();
});
