import { expect } from 'vitest';
import type { TestResponse } from './client.ts';

interface Reader {
  get: <T = Record<string, unknown>>(path: string) => Promise<TestResponse<T>>;
}

export interface Walked<T> {
  rows: T[];
  pages: number;
  totals: number[];
}

/**
 * Reads a list from its first page to its last by X-Next-Cursor. `rowsOf` finds the rows in a body that is not an array;
 * `between` runs before each page after the first.
 */
export async function walk<T>(
  reader: Reader,
  path: string,
  rowsOf: (body: never) => T[] = (body) => body,
  between: () => Promise<void> = async () => undefined,
): Promise<Walked<T>> {
  const walked: Walked<T> = { rows: [], pages: 0, totals: [] };
  let cursor: string | null = null;
  do {
    if (cursor !== null) await between();
    const url: string = cursor === null ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const response: TestResponse<never> = await reader.get<never>(url);
    expect(response.status).toBe(200);
    walked.rows.push(...rowsOf(response.body));
    walked.pages += 1;
    walked.totals.push(Number(response.headers.get('x-total-count')));
    cursor = response.headers.get('x-next-cursor');
  } while (cursor !== null);
  return walked;
}
