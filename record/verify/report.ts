import { plural } from '#shared/numbers/plural.ts';
import { RecordError } from '../entries/entries.ts';
import { RecordUnavailable } from '../proof/remote-files.ts';

/** Result of one check: it holds, it differs, it could not be made, or there is nothing to check. */
export type CheckState = 'ok' | 'differs' | 'unchecked' | 'absent';

export interface Check {
  name: string;
  state: CheckState;
  detail: string;
  differences: string[];
}

/** Maximum number of named differences of one kind: a broken total of every project is one finding, not a thousand. */
const SHOWN = 10;

export class Differences {
  private readonly shown: string[] = [];
  private count = 0;

  add(difference: string): void {
    this.count += 1;
    if (this.shown.length < SHOWN) this.shown.push(difference);
  }

  expect(holds: boolean, difference: () => string): void {
    if (!holds) this.add(difference());
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  check(name: string, detail: string): Check {
    const more = this.count - this.shown.length;
    const differences = more > 0 ? [...this.shown, `… and ${more.toLocaleString('en')} more`] : this.shown;
    if (this.isEmpty) return { name, state: 'ok', detail, differences };
    return { name, state: 'differs', detail: plural(this.count, 'difference'), differences };
  }
}

export const unchecked = (name: string, reason: string): Check => ({
  name,
  state: 'unchecked',
  detail: reason,
  differences: [],
});

/** Data that cannot be read is neither a difference nor a proof. */
export function failed(name: string, error: unknown): Check {
  if (error instanceof RecordUnavailable) return unchecked(name, error.message);
  if (!(error instanceof RecordError)) throw error;
  const differences = new Differences();
  differences.add(error.message);
  return differences.check(name, '');
}

/** Runs a check; an error makes it unchecked. */
export function attempt(name: string, work: () => Check): Check {
  try {
    return work();
  } catch (error) {
    return failed(name, error);
  }
}

export const absent = (name: string, reason: string): Check => ({ ...unchecked(name, reason), state: 'absent' });

export const isGood = (checks: readonly Check[]): boolean =>
  checks.every(({ state }) => state === 'ok' || state === 'absent');

const MAX_LINE_CHARS = 600;
/** Characters that move the cursor, color or reverse text, or begin a new line. */
// oxlint-disable-next-line no-control-regex -- these must not reach a terminal
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text of a site or a file as one line for a terminal, which it cannot control. */
export function printable(text: string): string {
  const line = text.slice(0, MAX_LINE_CHARS).replace(UNPRINTABLE, escaped);
  return text.length > MAX_LINE_CHARS ? `${line}…` : line;
}

const SIGNS = { ok: '✓', differs: '✗', unchecked: '?', absent: '–' } as const;
const COLORS = { ok: 32, differs: 31, unchecked: 33, absent: 90 } as const;
const INDENT = '  ';

export function table(checks: readonly Check[], { colors }: { colors: boolean }): string {
  const paint = (text: string, code: number) => (colors ? `\u001b[${code}m${text}\u001b[0m` : text);
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .flatMap(({ name, state, detail, differences }) => [
      `${paint(SIGNS[state], COLORS[state])} ${name.padEnd(width)}${INDENT}${printable(detail)}`,
      ...differences.map((difference) => `${' '.repeat(width + 4)}${paint(printable(difference), COLORS.differs)}`),
    ])
    .join('\n');
}
