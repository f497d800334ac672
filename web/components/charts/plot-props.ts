export type ChartColor = 'accent' | 'bull' | 'bear' | 'warn' | 'muted' | 'line-strong';

/** A line with the interval around it, 0 to 1; null where there is nothing to be a share of. */
export interface ShareDrawing {
  kind: 'share';
  share: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}

export interface BarsDrawing {
  kind: 'bars';
  series: { color: ChartColor; counts: number[] }[];
}

export interface PlotProps {
  label: string;
  days: readonly string[];
  drawing: ShareDrawing | BarsDrawing;
  describe: (index: number) => string[];
}
