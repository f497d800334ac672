import type pg from 'pg';
import { int8Array } from '#db/binary-arrays.ts';
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

/** Bars by an earlier account of the wallet (R67), as votes of the present period. */
const BARRED = `SELECT p.id + (period_at(p.period_starts, now()) - 1) * 4294967296 AS key
    FROM user_stats s JOIN projects p ON p.id = ANY (s.barred_projects)
    WHERE s.user_id = asked.user_id AND is_barred(s.barred_projects, s.barred_periods, p.id, period_at(p.period_starts, now()))`;

/** Looked up by key, independent of the statistics. One row of text is the fastest to write and read. */
const VOTED = `SELECT floor(extract(epoch FROM now()) * 1000000)::text AS now,
    string_agg(coalesce(voted.keys, ''), ';' ORDER BY asked.ord) AS keys
  FROM unnest($1::bigint[]) WITH ORDINALITY AS asked(user_id, ord),
    LATERAL (SELECT string_agg(found.key::text, ',') AS keys FROM (
      SELECT v.project_id + (v.period - 1) * 4294967296 AS key FROM votes v WHERE v.user_id = asked.user_id UNION ALL ${BARRED}
    ) found OFFSET 0) voted`;

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
      const { rows } = await pool.query<{ now: string; keys: string }>({
        text: VOTED,
        values: [int8Array(batch.map(({ userId }) => userId))],
      });
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
