import type pg from 'pg';
import { int8Array } from '#db/binary-arrays.ts';
import { prepared } from '#db/client.ts';
import { busy } from '#server/kit/http/errors.ts';

interface VotedProjects {
  /** The database's clock, microseconds since 1970. */
  nowUs: number;
  keys: number[];
}

interface Waiting {
  userId: number;
  resolve: (voted: VotedProjects) => void;
  reject: (error: unknown) => void;
}

const VOTED = 'SELECT now, keys FROM voted_by($1)';

const MAX_BATCH = 128;
const MAX_IN_FLIGHT = 2;
const MAX_QUEUE = 5_000;

/** Asks the primary after the call, so that every confirmed vote is included. Rejects with 503 when thousands wait. */
export function createVotedReader(pool: pg.Pool): (userId: number) => Promise<VotedProjects> {
  let queue: Waiting[] = [];
  let inFlight = 0;
  let isArmed = false;

  async function send(batch: Waiting[]): Promise<void> {
    try {
      const values = [int8Array(batch.map(({ userId }) => userId))];
      const query = prepared(pool, 'voted_by', { text: VOTED, values });
      const { rows } = await pool.query<{ now: string; keys: string }>(query);
      const nowUs = Number(rows[0]?.now);
      const lists = (rows[0]?.keys ?? '').split(';');
      batch.forEach(({ resolve }, index) => {
        const list = lists[index] ?? '';
        resolve({ nowUs, keys: list === '' ? [] : list.split(',').map(Number) });
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      pump();
    }
  }

  function pump(): void {
    isArmed = false;
    // A second statement has to be worth its round trip.
    while (queue.length > 0 && (inFlight === 0 || (inFlight < MAX_IN_FLIGHT && queue.length >= MAX_BATCH / 4))) {
      const batch = queue.slice(0, MAX_BATCH);
      queue = queue.slice(MAX_BATCH);
      inFlight += 1;
      void send(batch);
    }
  }

  return (userId) =>
    new Promise((resolve, reject) => {
      if (queue.length >= MAX_QUEUE) return reject(busy('busy', 'Too many requests at once. Please try again.', 1));
      queue.push({ userId, resolve, reject });
      if (isArmed) return;
      isArmed = true;
      // Requests read in this turn of the event loop share a statement.
      setImmediate(pump);
    });
}
