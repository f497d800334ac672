export interface Finding {
  name: string;
  value: number;
  unit: '×' | 'µs' | '';
  atMost?: number;
  /** Source of the value: both sides of a ratio, or median and range. */
  detail: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [below = Number.NaN, above = Number.NaN] = [
    sorted[sorted.length % 2 === 1 ? middle : middle - 1],
    sorted[middle],
  ];
  return (below + above) / 2;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** '12,345 (11,900–12,600)': median and range. */
export const spread = (values: readonly number[]): string =>
  `${whole(median(values))} (${whole(Math.min(...values))}–${whole(Math.max(...values))})`;

export const isMet = ({ value, atMost }: Finding): boolean => atMost === undefined || value <= atMost;

export function table(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map((finding) => {
    const { name, value, unit, atMost, detail } = finding;
    const goal = atMost === undefined ? '' : `≤ ${atMost}`;
    return `${isMet(finding) ? '✓' : '✗'} ${name.padEnd(width)} ${`${value.toFixed(2)} ${unit}`.padStart(12)} ${goal.padStart(6)}   ${detail}`;
  });
  return [`  ${'work'.padEnd(width)} ${'measured'.padStart(12)} ${'goal'.padStart(6)}`, ...lines].join('\n');
}
