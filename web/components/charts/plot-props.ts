export type ChartColor = 'accent' | 'text' | 'bull' | 'bear' | 'muted' | 'line' | 'line-strong';

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
