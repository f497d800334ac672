import { vi } from 'vitest';

/** One call on a context, with the colors and the width that were set by then. */
export interface DrawCall {
  call: string;
  given: unknown[];
  fill: unknown;
  stroke: unknown;
  width: unknown;
}

/**
 * Canvases that note what they are told, until vi.restoreAllMocks() and vi.unstubAllGlobals(): happy-dom has none that can be drawn on.
 * Returns the calls of one name since `clear`, in their order.
 */
export function recordCanvas(): { calls: (name: string) => DrawCall[]; clear: () => void } {
  let made: DrawCall[] = [];
  const context = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (values, name: string) =>
        values[name] ??
        ((...given: unknown[]) => {
          const { fillStyle: fill, strokeStyle: stroke, lineWidth: width } = values;
          made.push({ call: name, given, fill, stroke, width });
        }),
    },
  );
  const path = new Proxy({}, { get: () => () => undefined });
  vi.stubGlobal('Path2D', function Path2D() {
    return path;
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
    context as unknown as ReturnType<HTMLCanvasElement['getContext']>,
  );
  return {
    calls: (name) => made.filter(({ call }) => call === name),
    clear: () => {
      made = [];
    },
  };
}
