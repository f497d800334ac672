// @vitest-environment happy-dom
/** The words around the drawings: titles, texts for each day, tables. Journeys look at the drawings in a browser. */
import { screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { type BarSeries, DayBars, type DayCounts } from './day-bars.tsx';
import { ShareChart } from './share-chart.tsx';

useTestPage();
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-04T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const day = (date: string, bullish: number, bearish: number, verified: number | null = null) => ({
  day: date,
  bullish,
  bearish,
  verifiedBullish: verified,
  verifiedBearish: verified === null ? null : 0,
});
/** Draws a chart, and what its code draws. */
const drawChart = (chart: ReactNode) =>
  act(async () => {
    draw(chart);
    await import('./plot.tsx');
  });
const slider = () => screen.getByRole('slider');
const openTable = async (): Promise<string[]> => {
  await userEvent.click(screen.getByText(/as a table$/));
  return within(screen.getByRole('table'))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(' '));
};

test('a share is said with its votes, its interval, and how many are verified; days without a change are as the one before [R44]', async () => {
  await drawChart(<ShareChart days={[day('2026-03-01', 0, 0), day('2026-03-02', 3, 1, 2)]} />);
  expect(slider()).toHaveAccessibleName('Bullish share by day: choose a day with the arrow keys');
  expect(slider()).toHaveAttribute('max', '3');
  expect(slider()).toHaveAttribute(
    'aria-valuetext',
    '4 Mar 2026, 75% bullish of 4 votes, likely 30–95%, 2 of 4 verified: 100% bullish',
  );
  expect(await openTable()).toEqual([
    'Day Bullish share Likely range Bullish Bearish',
    '4 Mar 2026 75% 30–95% 3 1',
    '3 Mar 2026 75% 30–95% 3 1',
    '2 Mar 2026 75% 30–95% 3 1',
    '1 Mar 2026 – – 0 0',
  ]);
});

test('says nothing of the verified votes of a day whose verified votes are not known on both sides', async () => {
  const half = { ...day('2026-03-04', 3, 1, 2), verifiedBearish: null };
  await drawChart(<ShareChart days={[half]} />);
  expect(slider()).toHaveAttribute('aria-valuetext', '4 Mar 2026, 75% bullish of 4 votes, likely 30–95%');
});

const SERIES: BarSeries[] = [
  { key: 'deck', label: 'Deck', color: 'accent' },
  { key: 'page', label: 'Page', color: 'bull' },
];

test('columns say what they are made of; days without anything have none', async () => {
  const days: DayCounts[] = [
    { day: '2026-03-02', counts: { deck: 1_200, page: 1 } },
    { day: '2026-03-04', counts: { page: 2 } },
  ];
  await drawChart(<DayBars title="Views by day" noun="view" days={days} series={SERIES} empty="No views yet." />);
  expect(slider()).toHaveAttribute('aria-valuetext', '4 Mar 2026, 2 views, Deck: 0, Page: 2');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Deck', 'Page']);
  expect(await openTable()).toEqual(['Day Deck Page', '4 Mar 2026 0 2', '3 Mar 2026 0 0', '2 Mar 2026 1,200 1']);
});

test.each([
  ['without a day', [], []],
  ['of days on which nothing happened', [day('2026-03-02', 0, 0)], [{ day: '2026-03-02', counts: { deck: 0 } }]],
])('a chart %s is a sentence, and no code is loaded for it', (_, shares, counts) => {
  draw(
    <>
      <ShareChart days={shares} />
      <DayBars title="Views by day" noun="view" days={counts} series={SERIES} empty="No views yet." />
    </>,
  );
  expect(screen.getByText('The first vote starts the line.')).toBeVisible();
  expect(screen.getByText('No views yet.')).toBeVisible();
  expect(screen.queryByRole('slider')).toBeNull();
  expect(screen.queryByText(/as a table/)).toBeNull();
});
