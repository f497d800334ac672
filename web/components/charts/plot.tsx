/** uPlot takes 22 KB gzip. Rejected: visx (44 KB, unsafe-eval), lightweight-charts (55 KB), Chart.js (60 KB), Recharts (116 KB). */
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import '../../styles/uplot.css';
import { type Drawing, optionsOf } from './plot-options.ts';
import type { PlotProps } from './plot-props.ts';

type Day = number | null;

function usePlot({ days, drawing }: Drawing, onDay: (index: Day) => void) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  useEffect(() => {
    const target = box.current;
    if (!target) return undefined;
    const draw = ({ width, height }: { width: number; height: number }): void => {
      const size = { width: Math.floor(width), height: Math.floor(height) };
      if (size.width <= 0 || size.height <= 0) return;
      if (plot.current) return plot.current.setSize(size);
      const { options, data } = optionsOf({ days, drawing }, size);
      const setCursor = [(own: uPlot) => onDay(own.cursor.idx ?? null)];
      plot.current = new uPlot({ ...options, hooks: { ...options.hooks, setCursor } }, data, target);
    };
    const sizes = new ResizeObserver(([entry]) => entry && draw(entry.contentRect));
    sizes.observe(target);
    const themes = new MutationObserver(() => plot.current?.redraw());
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
      plot.current?.destroy();
      plot.current = null;
      onDay(null);
    };
  }, [days, drawing, onDay]);
  const point = (index: Day): void => {
    const own = plot.current;
    if (own && index === null) own.setCursor({ left: -10, top: -10 });
    else own?.setCursor({ left: own.valToPos(own.data[0][index ?? 0] ?? 0, 'x'), top: 0 });
  };
  return { box, plot, point };
}

function Tooltip({ lines, leftPx, isRight }: { lines: string[]; leftPx: number; isRight: boolean }) {
  const [title, ...rest] = lines;
  return (
    <div
      data-tooltip
      aria-hidden
      className="pointer-events-none absolute top-2 z-10 w-max rounded-lg border border-line-strong bg-overlay px-3 py-2 text-sm shadow-float"
      style={
        isRight
          ? { right: `calc(100% - ${leftPx - 12}px)`, maxWidth: `min(14rem, ${leftPx - 12}px)` }
          : { left: leftPx + 12, maxWidth: `min(14rem, calc(100% - ${leftPx + 12}px))` }
      }
    >
      <p className="font-semibold">{title}</p>
      {rest.map((line) => (
        <p key={line} className="text-muted">
          {line}
        </p>
      ))}
    </div>
  );
}

export function Plot({ label, days, drawing, describe }: PlotProps) {
  const [index, setIndex] = useState<Day>(null);
  const { box, plot, point } = usePlot({ days, drawing }, setIndex);
  const last = days.length - 1;
  const at = Math.min(index ?? last, last);
  const own = plot.current;
  return (
    <div className="relative size-full min-w-0 rounded-lg has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-link">
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={`${label}: choose a day with the arrow keys`}
        aria-valuetext={describe(at).join(', ')}
        onChange={(event) => point(event.target.valueAsNumber)}
        onFocus={() => point(at)}
        onBlur={() => point(null)}
        className="sr-only"
      />
      <div ref={box} data-chart className="absolute inset-0" />
      {index !== null && own ? (
        <Tooltip
          lines={describe(at)}
          leftPx={own.valToPos(own.data[0][at] ?? 0, 'x') + own.over.offsetLeft}
          isRight={at > last / 2}
        />
      ) : null}
    </div>
  );
}
