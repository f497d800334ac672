import { numberText } from './number-text.ts';

/** '1 vote', '1,234 votes': a count in the reader's digits with its noun. `many` is the plural where it is not the noun with an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}
