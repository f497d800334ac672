import type pg from 'pg';
import { databaseMs, postmasterOf } from '../processor.ts';

export interface Cost {
  /** Processor time of this process and of PostgreSQL. */
  cpuMs: number;
  databaseMs: number;
  /** Rows and index entries that PostgreSQL read. */
  rows: number;
  seconds: number;
}

/** Measures work of this process on a database of this machine that nothing else uses. */
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
    return new Meter(admin, pool, await postmasterOf(admin));
  }

  async measure(work: () => Promise<unknown>): Promise<Cost> {
    const rowsBefore = await this.#rows();
    const before = await databaseMs(this.#postmaster);
    const [usage, startedMs] = [process.cpuUsage(), performance.now()];
    await work();
    const { user, system } = process.cpuUsage(usage);
    const seconds = (performance.now() - startedMs) / 1000;
    const spentMs = (await databaseMs(this.#postmaster)) - before;
    const rows = (await this.#rows()) - rowsBefore;
    return { cpuMs: (user + system) / 1000 + spentMs, databaseMs: spentMs, rows, seconds };
  }

  /** Backends report statistics at most once a second, or on request. */
  async #rows(): Promise<number> {
    const clients = await Promise.all(Array.from({ length: this.#pool.totalCount }, () => this.#pool.connect()));
    await Promise.all(clients.map((client) => client.query('SELECT pg_stat_force_next_flush()')));
    for (const client of clients) client.release();
    const { rows } = await this.#admin.query<{ rows: number }>(
      'SELECT tup_returned::float8 AS rows FROM pg_stat_database WHERE datname = current_database()',
    );
    return rows[0]?.rows ?? 0;
  }
}
