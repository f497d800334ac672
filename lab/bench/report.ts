export interface Finding {
  /** Name of the work, such as 'votes, three hot projects'. */
  name: string;
  /** The goal's number, and the good side of it. */
  value: number;
  unit: '×' | 'ms' | 'MB' | '';
  atLeast?: number;
  atMost?: number;
  aim?: number;
  /** Source of the value: medians and spread of both sides. */
  detail: string;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** '12,345 (11,900–12,600)': median and range. */
export const spread = (values: number[]): string =>
  `${whole(median(values))} (${whole(Math.min(...values))}–${whole(Math.max(...values))})`;

export const isMet = ({ value, atLeast, atMost }: Finding): boolean =>
  (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);

function line(finding: Finding): string {
  const { name, value, unit, atLeast, atMost, aim, detail } = finding;
  const digits = unit === 'MB' ? 0 : 2;
  const goal = atLeast === undefined ? (atMost === undefined ? '' : `≤ ${atMost}`) : `≥ ${atLeast}`;
  const cells = [
    isMet(finding) ? '✓' : '✗',
    name.padEnd(58),
    `${value.toFixed(digits)} ${unit}`.padStart(10),
    goal.padStart(9),
    (aim === undefined ? '' : String(aim)).padStart(6),
  ];
  return `${cells.join(' ')}   ${detail}`;
}

/** The table for people. */
export function table(findings: Finding[]): string {
  const heading = `  ${'work'.padEnd(58)} ${'measured'.padStart(10)} ${'goal'.padStart(9)} ${'aim'.padStart(6)}`;
  return [heading, ...findings.map(line)].join('\n');
}
