// @vitest-environment happy-dom
/** What stands around the drawings: titles, words for each day, tables. What is drawn, journeys look at in a browser. */
import { screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { type BarSeries, DayBars, type DayCounts } from './day-bars.tsx';
import { dayOf, DAY_MS } from './days.ts';
import { optionsOf } from './plot-options.ts';
import type { BarsDrawing } from './plot-props.ts';
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

test('of a day whose verified votes are not known on both sides nothing is said of them', async () => {
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

test('ten thousand days are a chart like any other; the table has the last 400', async () => {
  const first = Date.parse('2026-03-04') - 9_999 * DAY_MS;
  const days = Array.from({ length: 10_000 }, (_, n) => day(dayOf(first + n * DAY_MS), n + 1, 1));
  await drawChart(<ShareChart days={days} />);
  expect(slider()).toHaveAttribute('max', '9999');
  expect(screen.queryByRole('table')).toBeNull();
  expect(await openTable()).toHaveLength(401);
  expect(screen.getByText('Show the last 400 days as a table')).toBeVisible();
});

test.each([
  [2, '22 Nov'],
  [10_000, 'Nov 2026'],
])('over %i days the axis says %s', (count, name) => {
  const end = Date.parse('2026-11-22');
  const days = Array.from({ length: count }, (_, n) => dayOf(end - (count - 1 - n) * DAY_MS));
  const { options } = optionsOf({ days, drawing: { kind: 'bars', series: [] } }, { width: 300, height: 200 });
  const values = options.axes?.[0]?.values as unknown;
  if (typeof values !== 'function') throw new Error('no names of marks');
  expect(Reflect.apply(values, undefined, [null, [end / 1000]])).toEqual([name]);
});

const drawingOf = (drawing: BarsDrawing, days: string[]) => optionsOf({ days, drawing }, { width: 300, height: 200 });
/** What stands beside a mark of the axis of amounts. */
function namesOf(splits: number[]): unknown {
  const { options } = drawingOf({ kind: 'bars', series: [] }, ['2026-03-01']);
  const values = options.axes?.[1]?.values as unknown;
  if (typeof values !== 'function') throw new Error('no names of marks');
  return Reflect.apply(values, undefined, [null, splits]);
}

test('marks of the days may lie ever further apart, each time two to four times as far, never less than a day', () => {
  const { options } = drawingOf({ kind: 'bars', series: [] }, ['2026-03-01']);
  const steps = options.axes?.[0]?.incrs as number[];
  expect(steps[0]).toBe(86_400);
  // A wider gap would leave a chart of some length with one mark, or with none.
  const times = steps.slice(1).map((step, at) => step / (steps[at] ?? 1));
  expect(Math.min(...times)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...times)).toBeLessThan(4);
});

test('columns stand on each other: each series begins where all those below it end', () => {
  const series = [
    [1, 2],
    [10, 20],
    [100, 200],
  ].map((counts) => ({ color: 'bull' as const, counts }));
  const { data, options } = drawingOf({ kind: 'bars', series }, ['2026-03-01', '2026-03-02']);
  expect(data).toEqual([
    [Date.parse('2026-03-01') / 1000, Date.parse('2026-03-02') / 1000],
    [111, 222],
    [11, 22],
    [1, 2],
  ]);
  // Five per cent of air above the highest, half a day at both sides.
  expect(options.scales?.['y']?.range).toEqual([0, 222 * 1.05]);
  expect(options.scales?.['x']?.range).toEqual([
    Date.parse('2026-02-28T12:00:00Z') / 1000,
    Date.parse('2026-03-02T12:00:00Z') / 1000,
  ]);
});

test('an axis without any amount goes up to 1; marks are whole numbers, short from 100,000 on', () => {
  const { options } = drawingOf({ kind: 'bars', series: [{ color: 'bull', counts: [0] }] }, ['2026-03-01']);
  expect(options.scales?.['y']?.range).toEqual([0, 1.05]);
  expect(namesOf([0, 0.5, 1, 99_999, 100_000, 1_200_000])).toEqual(['0', '', '1', '99,999', '100K', '1.2M']);
});

test('the day that is pointed at is marked on a line, not on columns; nothing is dragged, and there is no legend of its own', () => {
  const { options } = drawingOf({ kind: 'bars', series: [] }, ['2026-03-01']);
  expect(options).toMatchObject({ legend: { show: false }, cursor: { drag: { x: false, y: false }, y: false } });
  expect(options.cursor?.points).toEqual({ show: false });
  const share = optionsOf(
    { days: ['2026-03-01', '2026-03-03'], drawing: { kind: 'share', share: [1, 0], low: [0, 0], high: [1, 1] } },
    { width: 300, height: 200 },
  );
  expect(share.options.cursor?.points).toEqual({ show: true });
  expect(share.options.scales).toMatchObject({ x: { range: share.data[0] }, y: { range: [0, 1] } });
});
