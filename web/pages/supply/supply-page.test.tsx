// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getSupply } from '#shared/contract/supply.ts';
import { TIME } from '../../testing/made-up.ts';
import { draw, useTestPage } from '../../testing/screen.tsx';
import { SupplyPage } from './supply-page.tsx';

const server = useTestPage();

test('names the day, all that burns Snaps, and the Snaps that a restore lost [R16 R42 R94]', async () => {
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
  server().respond(getSupply, {
    ...sums,
    day: '2026-11-21',
    checkedAt: TIME,
    liabilities: 0,
    lost: 30,
    ahead: 0,
    holders: 0,
    entries: 3,
  });
  draw(<SupplyPage />);
  expect(await screen.findByText('Destroyed by reviews, one-sentence reviews, deleted accounts')).toBeVisible();
  expect(screen.getByText(/^As of 21 Nov 2026, the last closed day\.$/)).toBeVisible();
  expect(screen.getByText(/30 Snaps of votes in the public record are missing here, and owed as well/)).toBeVisible();
  expect(screen.getByText(/^Owed: 30 Snaps/)).toBeVisible();
  expect(screen.getByText(/reviews burn some/)).toBeVisible();
});
