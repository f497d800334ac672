/** Colors of the theme, by their names in web/styles/tokens.css. */
export type ChartColor = 'accent' | 'bull' | 'bear' | 'warn' | 'muted' | 'line-strong';

/** A line with the interval around it, 0 to 1; null where there is nothing to be a share of. */
export interface ShareDrawing {
  kind: 'share';
  share: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}

/** Stacked columns, the first series at the bottom. */
export interface BarsDrawing {
  kind: 'bars';
  series: { color: ChartColor; counts: number[] }[];
}

export interface PlotProps {
  /** A description of the drawing in words. */
  label: string;
  /** Days, oldest first. */
  days: readonly string[];
  drawing: ShareDrawing | BarsDrawing;
  /** The lines of the tooltip of a day; also what screen readers say of it. */
  describe: (index: number) => string[];
}
