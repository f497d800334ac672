import type { Locator } from '@playwright/test';

/** Whether a color, '#rrggbb', of this alpha takes a two-thousandth of a chart's canvas, which rounds it a little. */
export const drawsIn = (chart: Locator, color: string, alpha = 255): Promise<boolean> =>
  chart.locator('canvas').evaluate(
    (element, { wanted, wantedAlpha }) => {
      const canvas = element as HTMLCanvasElement;
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const parts = [1, 3, 5].map((at) => Number.parseInt(wanted.slice(at, at + 2), 16));
      let found = 0;
      for (let i = 0; i < pixels.length; i += 4)
        if (
          Math.abs(wantedAlpha - (pixels[i + 3] ?? 0)) <= 2 &&
          parts.every((part, k) => Math.abs(part - (pixels[i + k] ?? 0)) <= 2)
        )
          found += 1;
      return found * 8_000 > pixels.length;
    },
    { wanted: color, wantedAlpha: alpha },
  );
