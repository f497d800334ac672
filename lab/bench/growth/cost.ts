import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Cost of a piece of work. */
export interface Cost {
  /** Processor time of this process, of PostgreSQL, and of programs that this process started. */
  serverMs: number;
  databaseMs: number;
  programsMs: number;
  /** Rows and index entries that PostgreSQL read. */
  rows: number;
  seconds: number;
}

export const cpuMs = ({ serverMs, databaseMs, programsMs }: Cost): number => serverMs + databaseMs + programsMs;

/** Linux counts the time of ended children in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of the ended children of a process. */
async function endedChildrenMs(pid: number | 'self'): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain spaces; the state comes after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

async function runningMs(pid: number): Promise<number> {
  const [ns = '0'] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')).split(' ');
  return Number(ns) / 1e6;
}

interface Reading {
  backends: Map<number, number>;
  endedMs: number;
  programsMs: number;
  rows: number;
}

/**
 * Measures work of this process on a database of this machine that nothing else uses. Parallel workers must be off: the time of processes
 * that end is counted in hundredths of a second.
 */
export class Meter {
  readonly #admin: pg.ClientBase;
  readonly #pool: pg.Pool;
  readonly #postmaster: number;

  private constructor(admin: pg.ClientBase, pool: pg.Pool, postmaster: number) {
    this.#admin = admin;
    this.#pool = pool;
    this.#postmaster = postmaster;
  }

  static async open(admin: pg.ClientBase, pool: pg.Pool): Promise<Meter> {
    const { rows } = await admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const stat = await readFile(`/proc/${rows[0]?.pid}/stat`, 'utf8').catch(() => {
      throw new Error('Processor time is read from /proc, which this machine does not have.');
    });
    return new Meter(admin, pool, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }

  async measure(work: () => Promise<unknown>): Promise<Cost> {
    const before = await this.#read();
    const [usage, startedMs] = [process.cpuUsage(), performance.now()];
    await work();
    const { user, system } = process.cpuUsage(usage);
    const seconds = (performance.now() - startedMs) / 1000;
    const after = await this.#read();
    let databaseMs = after.endedMs - before.endedMs;
    // Backends that have ended since are among the children with all of their time.
    for (const ms of after.backends.values()) databaseMs += ms;
    for (const ms of before.backends.values()) databaseMs -= ms;
    return {
      serverMs: (user + system) / 1000,
      databaseMs,
      programsMs: after.programsMs - before.programsMs,
      rows: after.rows - before.rows,
      seconds,
    };
  }

  async #read(): Promise<Reading> {
    await this.#flushStatistics();
    const { rows: backends } = await this.#admin.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    const { rows } = await this.#admin.query<{ rows: number }>(
      'SELECT tup_returned::float8 AS rows FROM pg_stat_database WHERE datname = current_database()',
    );
    return {
      backends: new Map(await Promise.all(backends.map(async ({ pid }) => [pid, await runningMs(pid)] as const))),
      endedMs: await endedChildrenMs(this.#postmaster),
      programsMs: await endedChildrenMs('self'),
      rows: rows[0]?.rows ?? 0,
    };
  }

  /** Backends report statistics at most once a second, or on request. */
  async #flushStatistics(): Promise<void> {
    const clients = await Promise.all(Array.from({ length: this.#pool.totalCount }, () => this.#pool.connect()));
    await Promise.all(clients.map((client) => client.query('SELECT pg_stat_force_next_flush()')));
    for (const client of clients) client.release();
  }
}
