// @vitest-environment happy-dom
/** The drawing itself, on a canvas that only notes what it is told: which day is pointed at, and what is said beside it. */
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { recordCanvas } from '../../testing/canvas.ts';
import { act, useTestPage } from '../../testing/screen.tsx';
import { Plot } from './plot.tsx';
import type { PlotProps } from './plot-props.ts';

useTestPage();
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'];
/** Colors of the theme, as the style sheet has them. */
const THEME = { accent: 'blue', bull: 'green', bear: 'red', line: 'grey', 'line-strong': 'black', faint: 'silver' };
let canvas: ReturnType<typeof recordCanvas>;
/** The box gets this size. */
let resize: (width: number, height: number) => Promise<void>;
let watched = 0;

beforeEach(() => {
  canvas = recordCanvas();
  watched = 0;
  for (const [name, value] of Object.entries(THEME)) document.documentElement.style.setProperty(`--c-${name}`, value);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: (entries: Array<{ contentRect: { width: number; height: number } }>) => void) {
        resize = (width, height) => act(async () => tell([{ contentRect: { width, height } }]));
      }
      observe = () => void (watched += 1);
      disconnect = () => void (watched -= 1);
    },
  );
});

const bars: PlotProps = {
  label: 'Votes by day',
  days: DAYS,
  drawing: {
    kind: 'bars',
    series: [
      { color: 'bull', counts: [1, 0, 2, 4, 3] },
      { color: 'bear', counts: [1, 0, 3, 0, 7] },
    ],
  },
  describe: (index) => [`Day ${index + 1}`, `${index} votes`],
};
const share = (days: string[]): PlotProps => ({
  label: 'Share by day',
  days,
  drawing: { kind: 'share', share: days.map(() => 0.5), low: days.map(() => 0.25), high: days.map(() => 0.75) },
  describe: (index) => [`Day ${index + 1}`],
});

const slider = () => screen.getByRole('slider');
const tooltip = () => document.querySelector<HTMLElement>('[data-tooltip]');
const choose = (value: number) => act(async () => void fireEvent.change(slider(), { target: { value } }));
const focus = () => act(async () => void fireEvent.focus(slider()));
const blur = () => act(async () => void fireEvent.blur(slider()));
/** Texts on the axes: names of days at the bottom, amounts at the left. */
const texts = () => canvas.calls('fillText').map(({ given: [text] }) => String(text));
async function open(plot: PlotProps = bars) {
  const drawn = render(<Plot {...plot} />);
  await resize(500, 224);
  return drawn;
}

describe('pointing at a day', () => {
  test('the focus points at the last day; the arrow keys go on from there; without the focus there is no tooltip', async () => {
    await open();
    expect(tooltip()).toBeNull();
    expect(slider()).toHaveAttribute('min', '0');
    expect(slider()).toHaveValue('4');
    await focus();
    expect(tooltip()).toHaveTextContent('Day 5');
    await choose(1);
    expect(tooltip()).toHaveTextContent('Day 21 votes');
    expect(slider()).toHaveValue('1');
    expect(slider()).toHaveAttribute('aria-valuetext', 'Day 2, 1 votes');
    await choose(0);
    expect(tooltip()).toHaveTextContent('Day 10 votes');
    await blur();
    expect(tooltip()).toBeNull();
    expect(slider()).toHaveValue('4');
  });

  test('a tooltip stands right of its day up to the middle, and left of it from there on, never beyond the chart', async () => {
    await open();
    const places = [];
    for (const day of [0, 1, 2, 3, 4]) {
      await choose(day);
      const { left, right, maxWidth } = tooltip()?.style ?? {};
      places.push(
        [left, right, maxWidth].join(' ').replaceAll(/[\d.]+px/g, (px) => `${Math.round(Number.parseFloat(px))}px`),
      );
    }
    // The columns are 85 px apart, the first half of that from the axis; a tooltip keeps 12 px away.
    expect(places).toEqual([
      '55px  min(14rem, calc(100% - 55px))',
      '140px  min(14rem, calc(100% - 140px))',
      '226px  min(14rem, calc(100% - 226px))',
      ' calc(100% - 287px) min(14rem, 287px)',
      ' calc(100% - 372px) min(14rem, 372px)',
    ]);
  });

  test('other data are drawn in place of the ones before, and none of their days is pointed at', async () => {
    const { rerender } = await open();
    await choose(0);
    rerender(<Plot {...share(DAYS.slice(0, 2))} />);
    expect(slider()).toHaveValue('1');
    await resize(500, 224);
    expect(document.querySelectorAll('canvas')).toHaveLength(1);
    expect(tooltip()).toBeNull();
    expect(slider()).toHaveValue('1');
    expect(slider()).toHaveAttribute('aria-valuetext', 'Day 2');
  });
});

test('is drawn once it has a size, again in another theme, and takes nothing with it when it goes', async () => {
  const { unmount } = render(<Plot {...bars} />);
  await resize(500, 0.5);
  await resize(0.5, 224);
  expect(document.querySelector('canvas')).toBeNull();
  await resize(500.7, 224.2);
  expect(document.querySelector<HTMLElement>('.u-wrap')?.style.width).toBe('500px');
  await resize(300, 224);
  expect(document.querySelectorAll('canvas')).toHaveLength(1);
  expect(document.querySelector<HTMLElement>('.u-wrap')?.style.width).toBe('300px');
  canvas.clear();
  document.documentElement.style.setProperty('--c-faint', 'white');
  await act(async () => document.documentElement.setAttribute('data-theme', 'dark'));
  await vi.waitFor(() => expect(canvas.calls('fillText')[0]?.fill).toBe('white'));
  expect(watched).toBe(1);
  unmount();
  expect(watched).toBe(0);
});

const linesOf = (color: string) =>
  ['moveTo', 'lineTo'].map((name) =>
    canvas.calls(name).flatMap(({ given, stroke }) => (stroke === color ? [given] : [])),
  );

test('columns: the whole one first, the lower part over it; days below, whole numbers at the left', async () => {
  await open();
  expect(canvas.calls('fill').map(({ fill }) => fill)).toEqual(['red', 'green']);
  expect(texts()).toEqual(['1 Mar', '2 Mar', '3 Mar', '4 Mar', '5 Mar', '0', '2', '4', '6', '8', '10']);
  expect(canvas.calls('fillText').every(({ fill }) => fill === 'silver')).toBe(true);
  expect(canvas.calls('setLineDash').filter(({ stroke }) => stroke === 'black')).toEqual([]);
});

test('a share: a line with its band, per cent at the left, and half of the voters as a dashed line', async () => {
  await open(share(DAYS));
  expect(texts()).toEqual(['1 Mar', '2 Mar', '3 Mar', '4 Mar', '5 Mar', '0%', '20%', '40%', '60%', '80%', '100%']);
  const strokes = canvas.calls('stroke').map(({ stroke, width }) => `${String(stroke)} ${String(width)}`);
  expect(strokes).toEqual(['grey 1', 'black 1', 'blue 2.5']);
  expect(canvas.calls('fill').map(({ fill }) => fill)).toEqual(['color-mix(in srgb, blue 22%, transparent)']);
  expect(canvas.calls('setLineDash').flatMap(({ given, stroke }) => (stroke === 'black' ? given : []))).toEqual([
    [4, 6],
  ]);
  // From 48 px of the axis to the right edge, in the middle of what lies between 0 and 100 %.
  expect(linesOf('black')).toEqual([[[48, 107]], [[475, 107]]]);
});

const WHISKER = 'color-mix(in srgb, blue 60%, transparent)';
test.each([
  [1, 1, [[[261.5, 151.25]], [[261.5, 61.75]]]],
  [2, 1, [[], []]],
  [3, 0, [[], []]],
])('a share of %i days: %i marks the points, and a single day shows its interval', async (count, marks, whisker) => {
  await open(share(DAYS.slice(0, count)));
  expect(canvas.calls('fill').filter(({ fill }) => fill === 'blue')).toHaveLength(marks);
  expect(linesOf(WHISKER)).toEqual(whisker);
});
