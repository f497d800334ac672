// @vitest-environment happy-dom
import userEvent from '@testing-library/user-event';
import { screen, within } from '@testing-library/react';
import { type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { type BarSeries, DayBars, type DayCounts } from './day-bars.tsx';
import { ShareChart } from './share-chart.tsx';
import { everyDay, shortDay } from './days.ts';

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

test('the share chart names share, votes, interval and verified votes of each day, and repeats them on days without votes [R44]', async () => {
  await drawChart(<ShareChart days={[day('2026-03-01', 0, 0), day('2026-03-02', 3, 1, 2)]} />);
  expect(slider()).toHaveAccessibleName('Bullish share by day: choose a day with the arrow keys');
  expect(slider()).toHaveAttribute('max', '3');
  expect(slider()).toHaveAttribute(
    'aria-valuetext',
    '4 Mar 2026, 75% bullish of 4 votes, likely 30–95%, 100% of 2 verified votes',
  );
  expect(await openTable()).toEqual([
    'Day Bullish share Likely range Bullish Bearish',
    '4 Mar 2026 75% 30–95% 3 1',
    '3 Mar 2026 75% 30–95% 3 1',
    '2 Mar 2026 75% 30–95% 3 1',
    '1 Mar 2026 – – 0 0',
  ]);
});

test('the share chart leaves out verified votes that are known for one side only', async () => {
  const half = { ...day('2026-03-04', 3, 1, 2), verifiedBearish: null };
  await drawChart(<ShareChart days={[half]} />);
  expect(slider()).toHaveAttribute('aria-valuetext', '4 Mar 2026, 75% bullish of 4 votes, likely 30–95%');
});

const SERIES: BarSeries[] = [
  { key: 'deck', label: 'Deck', color: 'accent' },
  { key: 'page', label: 'Page', color: 'bull' },
];

test('the bar chart names the parts of each column, and days without counts have no column', async () => {
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
])('a chart %s is a sentence, and loads no chart code', (_, shares, counts) => {
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

const row = (day: string, n: number) => ({ day, n });
const repeat = (previous: { n: number }, day: string) => ({ ...previous, day });

test('missing days are filled in, up to the last one or a day after it', () => {
  const rows = [row('2026-02-26', 1), row('2026-03-01', 2)];
  const filled = [row('2026-02-26', 1), row('2026-02-27', 1), row('2026-02-28', 1), row('2026-03-01', 2)];
  expect(everyDay(rows, repeat)).toEqual(filled);
  expect(everyDay(rows, repeat, '2026-03-03')).toEqual([...filled, row('2026-03-02', 2), row('2026-03-03', 2)]);
  expect(everyDay(rows, repeat, '2026-01-01')).toEqual(filled);
});

test('no rows give no days, and one row gives one day', () => {
  expect(everyDay([], repeat, '2026-03-03')).toEqual([]);
  expect(everyDay([row('2026-03-03', 4)], repeat, '2026-03-03')).toEqual([row('2026-03-03', 4)]);
});

test('days are UTC days in every time zone', () => {
  expect(shortDay(Date.parse('2026-03-01'))).toBe('1 Mar');
});
