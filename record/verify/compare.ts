import type { Differences } from './report.ts';

/** The numbers or moments that an honest site can show, both ends included. */
export interface Range {
  least: number | bigint | string;
  most: number | bigint | string;
}

/** Open ends of a range of moments (ISO 8601). */
export const BEGINNING = '0000';
export const END = '9999';

/**
 * A place that shows a figure ('project 7 on the leaderboard'), the figure there, and the figure by the record: a value,
 * a range, an object of either, or undefined if the record does not tell.
 */
export type Place = readonly [where: string, shown: unknown, recorded: unknown];

export interface Figure<Site, Known, Line = string> {
  line: Line;
  figure: string;
  places: (site: Site, known: Known) => Iterable<Place>;
}

export type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isRange = (value: unknown): value is Range => isObject(value) && 'least' in value;

export const between = (one: number, other: number): Range => ({
  least: Math.min(one, other),
  most: Math.max(one, other),
});

export function fits(value: unknown, expected: unknown): boolean {
  if (expected === undefined) return true;
  if (isRange(expected)) {
    const isComparable = ['number', 'bigint', 'string'].includes(typeof value);
    const shown = value as Range['least'];
    const isText = typeof expected.least === 'string';
    return isComparable && (typeof shown === 'string') === isText && shown >= expected.least && shown <= expected.most;
  }
  if (isObject(expected))
    return isObject(value) && Object.keys(expected).every((key) => fits(value[key], expected[key]));
  return value === expected;
}

/** 'bullish 5, bearish 2', '3 to 5' */
function textOf(value: unknown): string {
  if (isRange(value)) {
    const { least, most } = value;
    if (most === END) return `${least} or later`;
    if (most === Infinity) return `${least} or more`;
    if (least === BEGINNING) return `${most} or earlier`;
    return least === most ? String(least) : `${least} to ${most}`;
  }
  if (isObject(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return fields.map(([name, field]) => `${name} ${textOf(field)}`).join(', ');
  }
  return String((value as string | number | boolean | bigint | null | undefined) ?? 'none');
}

function differingParts(value: unknown, expected: unknown): [shown: unknown, recorded: unknown] {
  if (!isObject(value) || !isObject(expected) || isRange(expected)) return [value, expected];
  const wrong = Object.keys(expected).filter((key) => !fits(value[key], expected[key]));
  const parts = wrong.map((key) => [key, ...differingParts(value[key], expected[key])] as const);
  return [
    Object.fromEntries(parts.map(([key, shown]) => [key, shown])),
    Object.fromEntries(parts.map(([key, , recorded]) => [key, recorded])),
  ];
}

export function compare<Site, Known>(
  figures: ReadonlyArray<Figure<Site, Known>>,
  site: Site,
  known: Known,
  differences: Differences,
): void {
  for (const { figure, places } of figures) {
    for (const [where, value, expected] of places(site, known)) {
      if (fits(value, expected)) continue;
      const [shown, recorded] = differingParts(value, expected).map(textOf);
      differences.add(`${where}: ${figure} ${shown}, by the record ${recorded}`);
    }
  }
}
