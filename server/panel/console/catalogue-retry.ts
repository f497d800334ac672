import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Errors of the database where two servers, or two databases of a cluster, write the same catalog row at once. */
const BUSY = new Set(['XX000', '40001', '40P01', '55P03']);
const ATTEMPTS = 8;
/** Grows with each attempt, by chance: servers that start together do not meet again. */
const PAUSE_MS = 30;

export const codeOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/** Retries while another server writes the same row of the catalog. */
export async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !BUSY.has(codeOf(error))) throw error;
      await sleep(randomInt(PAUSE_MS * attempt));
    }
  }
}
