/** One small change of a source text that a test should notice. */
export interface Edit {
  /** Kind of the change, such as 'boundary'. */
  operator: string;
  start: number;
  end: number;
  text: string;
  /** What names the place in reports and in the list of accepted survivors, independent of line numbers. */
  snippet: string;
  /** Enclosing function, or 'module'. */
  scope: string;
}

const SNIPPET_LENGTH = 90;

/** Source text on one line, short enough to read. */
export function toSnippet(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= SNIPPET_LENGTH ? line : `${line.slice(0, SNIPPET_LENGTH - 1)}…`;
}

export function applyEdit(source: string, { start, end, text }: Pick<Edit, 'start' | 'end' | 'text'>): string {
  return source.slice(0, start) + text + source.slice(end);
}

const COMPARISONS: Record<string, [boundary: string, opposite: string]> = {
  '<': ['<=', '>'],
  '<=': ['<', '>'],
  '>': ['>=', '<'],
  '>=': ['>', '<'],
};

/** The boundary moved by one, and the other direction; nothing for what is not an order. */
export const comparisonsOf = (operator: string): Array<[name: string, text: string]> => {
  const found = entryOf(COMPARISONS, operator);
  return found === undefined
    ? []
    : [
        ['boundary', found[0]],
        ['comparison', found[1]],
      ];
};

/** Above this a difference of one is seldom a rule; half and double are. */
const LARGEST_COUNTED = 1000;

/** Neighbors of a whole number, half and double of a large one, as source text; nothing for other literals. */
export function numbersBeside(raw: string): string[] {
  const match = /^(\d[\d_]*)(n?)$/.exec(raw);
  if (match === null) return [];
  const value = BigInt((match[1] ?? '').replaceAll('_', ''));
  const suffix = match[2] ?? '';
  const beside = value > LARGEST_COUNTED ? [value * 2n, value / 2n] : value > 0 ? [value + 1n, value - 1n] : [1n];
  return beside.map((number) => `${number}${suffix}`);
}

/** The entry of a table by a word of a source text, which may be 'constructor'. */
export const entryOf = <T>(table: Record<string, T>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
