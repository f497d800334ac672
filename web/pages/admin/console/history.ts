import { SQL_HISTORY_KEY as KEY } from '#shared/constants.ts';
import { createStore } from '../../../lib/external-store.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';

const KEPT = 30;
/** Longer statements run but are not stored: local storage is small. */
const MAX_CHARS = 5_000;

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

export const sqlHistory = createStore<readonly string[]>(read());

export function addToHistory(sqlQuery: string): void {
  const statement = sqlQuery.trim();
  if (statement.length > MAX_CHARS) return;
  const next = [statement, ...sqlHistory.get().filter((other) => other !== statement)].slice(0, KEPT);
  sqlHistory.set(next);
  writeStored(KEY, JSON.stringify(next));
}

export function clearHistory(): void {
  sqlHistory.set([]);
  writeStored(KEY, null);
}
