import uPlot from 'uplot';
import { shortDay, shortMonth } from './days.ts';
import type { BarsDrawing, ChartColor, PlotProps, ShareDrawing } from './plot-props.ts';

const DAY_S = 86_400;
const INCREMENTS = [1, 2, 7, 14, 30, 91, 182, 365, 730, 1825, 3650, 7300, 18_250].map((days) => days * DAY_S);
const YEAR_DAYS = 366;
const MAX_MARKED_DAYS = 2;
const BAR_SHARE = 0.8;
const BAR_MAX_PX = 56;
const FONT = '12px Figtree, system-ui, sans-serif';

const color = (name: ChartColor | 'faint'): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--c-${name}`).trim();
const fade = (name: ChartColor, percent: number): string =>
  `color-mix(in srgb, ${color(name)} ${percent}%, transparent)`;

export type Drawing = Pick<PlotProps, 'days' | 'drawing'>;
export type Size = Pick<uPlot.Options, 'width' | 'height'>;
type Drawn = Pick<uPlot.Options, 'series' | 'bands' | 'hooks'> & {
  data: uPlot.AlignedData;
  range: uPlot.Scale.Range;
  values: uPlot.Axis.Values;
};

function drawWhisker(plot: uPlot, low: number, high: number): void {
  const { ctx } = plot;
  const x = plot.valToPos(plot.data[0][0] ?? 0, 'x', true);
  ctx.save();
  ctx.strokeStyle = fade('bull', 60);
  ctx.lineWidth = 3 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, plot.valToPos(low, 'y', true));
  ctx.lineTo(x, plot.valToPos(high, 'y', true));
  ctx.stroke();
  ctx.restore();
}

/** Half of the voters: above it most are bullish. */
function drawHalf({ ctx, bbox, valToPos }: uPlot): void {
  const y = Math.round(valToPos(0.5, 'y', true));
  ctx.save();
  ctx.strokeStyle = color('line-strong');
  ctx.setLineDash([4, 6]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

function shareOf(times: number[], { share, low, high }: ShareDrawing): Drawn {
  const points = { show: times.length <= MAX_MARKED_DAYS, size: 9, fill: () => color('bull') };
  const bound = { width: 0, points: { show: false } };
  return {
    data: [times, share, high, low],
    series: [{}, { stroke: () => color('bull'), width: 2.5, points }, bound, bound],
    bands: [{ series: [2, 3], fill: () => fade('bull', 22) }],
    hooks: {
      drawAxes: [drawHalf],
      draw: [(plot) => times.length === 1 && drawWhisker(plot, low[0] ?? 0, high[0] ?? 1)],
    },
    range: [0, 1],
    values: (_plot, splits) => splits.map((value) => `${Math.round(value * 100)}%`),
  };
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });
const axisNumber = (value: number): string => (value < 100_000 ? value.toLocaleString() : COMPACT.format(value));

function barsOf(times: number[], { series }: BarsDrawing): Drawn {
  const tops: number[][] = [];
  for (const { counts } of series) tops.push(counts.map((count, i) => count + (tops.at(-1)?.[i] ?? 0)));
  const paths = uPlot.paths.bars?.({ size: [BAR_SHARE, BAR_MAX_PX], radius: 0.15 });
  // The whole column first, and each lower one over it.
  const drawn = series.map(({ color: name }, i) => ({ name, top: tops[i] ?? [] })).toReversed();
  const most = (tops.at(-1) ?? []).reduce((found, top) => Math.max(found, top), 1);
  return {
    data: [times, ...drawn.map(({ top }) => top)],
    series: [
      {},
      ...drawn.map(({ name }) => ({
        fill: () => color(name),
        width: 0,
        points: { show: false },
        ...(paths ? { paths } : {}),
      })),
    ],
    range: [0, most * 1.05],
    values: (_plot, splits) => splits.map((value) => (Number.isInteger(value) ? axisNumber(value) : '')),
  };
}

export function optionsOf({ days, drawing }: Drawing, size: Size): { options: uPlot.Options; data: uPlot.AlignedData } {
  const times = days.map((day) => Date.parse(day) / 1000);
  const { data, range, values, ...drawn } = drawing.kind === 'share' ? shareOf(times, drawing) : barsOf(times, drawing);
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const nameOf = (last - first) / DAY_S > YEAR_DAYS ? shortMonth : shortDay;
  const axis = { stroke: () => color('faint'), font: FONT, ticks: { show: false } };
  const grid = { stroke: () => color('line'), width: 1 };
  const margin = drawing.kind === 'bars' || first === last ? DAY_S / 2 : 0;
  return {
    data,
    options: {
      ...size,
      ...drawn,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: drawing.kind === 'share' } },
      scales: { x: { time: true, range: [first - margin, last + margin] }, y: { range } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          incrs: INCREMENTS,
          space: 64,
          values: (_plot, splits) => splits.map((s) => nameOf(s * 1000)),
        },
        { ...axis, grid, size: 48, values },
      ],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    },
  };
}
