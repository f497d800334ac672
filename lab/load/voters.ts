import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#db/client.ts';
import { VOTES_PER_WINDOW } from '#shared/constants.ts';
import { cookieOf } from './people.ts';

const TICK_MS = 5;
const TRY_MS = 15_000;
const MAX_ATTEMPTS = 60;
const PAUSE_MS = 250;
const SOCKETS = 96;

export interface Capacity {
  perSecond: number;
  /** From sent to answered, of the votes that counted. */
  p99Ms: number;
}

interface VoterOptions {
  urls: readonly string[];
  users: number;
  projects: number;
}

/** A prime: users who vote at once are no neighbours in the database. */
const STRIDE = 611_953;

/** Votes whose user changes each time, and whose project changes when all users have had their turn. */
export class Voters {
  /** Numbers of the votes that were acknowledged as counted. */
  readonly acknowledged = new Set<number>();
  readonly serverErrors: number[] = [];
  /** Votes without an outcome, and unexpected responses, in words. */
  readonly problems: string[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  readonly #options: VoterOptions;
  #made = 0;
  #waitsMs: number[] = [];
  #underWay = 0;

  constructor(options: VoterOptions) {
    this.#options = options;
  }

  /** The user and project of the n-th vote; at most 25 votes of each user are in one window. */
  #voteOf(n: number): { userId: number; projectId: number } {
    const { users, projects } = this.#options;
    const [userId, round] = [(((n % users) * STRIDE) % users) + 1, Math.floor(n / users)];
    return { userId, projectId: ((userId * 7919 + round * 104_729) % projects) + 1 };
  }

  #post(n: number, url: string): Promise<number> {
    const { userId, projectId } = this.#voteOf(n);
    const body = JSON.stringify({ userId, projectId, voteType: n % 3 === 0 ? 'bearish' : 'bullish' });
    const { hostname, port } = new URL(url);
    const headers = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      cookie: cookieOf(userId),
    };
    return new Promise((resolve) => {
      const sent = httpRequest(
        { agent: this.#agent, hostname, port, path: '/api/votes', method: 'POST', headers, timeout: TRY_MS },
        (response) => response.resume().on('close', () => resolve(response.statusCode ?? 0)),
      );
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
  }

  /** Casts a vote as a browser does: tries again, at the next server, until it has the outcome. */
  async #cast(n: number): Promise<void> {
    const { urls } = this.#options;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const sentAtMs = performance.now();
      const status = await this.#post(n, urls[(n + attempts) % urls.length] ?? '');
      if (status === 200) this.#waitsMs.push(performance.now() - sentAtMs);
      if (status >= 500) this.serverErrors.push(status);
      if (status === 200 || (status === 409 && attempts > 0)) return void this.acknowledged.add(n);
      if (status !== 0 && status < 500 && status !== 429)
        return void this.problems.push(`vote ${n} was answered by status ${status}`);
      await sleep(PAUSE_MS);
    }
    this.problems.push(`vote ${n} was given up after ${MAX_ATTEMPTS} attempts`);
  }

  async measureCapacity(ms: number, atOnce = 64): Promise<Capacity> {
    const [startedAtMs, first] = [performance.now(), this.acknowledged.size];
    this.#waitsMs = [];
    this.#agent.maxSockets = Math.max(SOCKETS, atOnce);
    const work = async (): Promise<void> => {
      while (performance.now() - startedAtMs < ms) await this.#cast(this.#made++);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const perSecond = (this.acknowledged.size - first) / ((performance.now() - startedAtMs) / 1000);
    const waitsMs = this.#waitsMs.toSorted((one, other) => one - other);
    return { perSecond, p99Ms: waitsMs[Math.floor(waitsMs.length * 0.99)] ?? Number.NaN };
  }

  /**
   * Casts votes at a steady rate, whether or not the responses keep up, until aborted or until no user has votes left in
   * their window.
   */
  async voteSteadily(perSecond: number, signal: AbortSignal): Promise<void> {
    const [startedAtMs, first] = [performance.now(), this.#made];
    const most = this.#options.users * VOTES_PER_WINDOW;
    while (!signal.aborted && this.#made < most) {
      const due = Math.min(most, first + Math.floor(((performance.now() - startedAtMs) / 1000) * perSecond));
      while (this.#made < due) {
        this.#underWay += 1;
        void this.#cast(this.#made++).finally(() => (this.#underWay -= 1));
      }
      await sleep(TICK_MS);
    }
    // The failures after this moment would meet no voters.
    if (!signal.aborted) this.problems.push(`no votes were left after ${this.#made}`);
    while (this.#underWay > 0) await sleep(50);
    this.#agent.destroy();
  }

  async countLost(db: Db): Promise<number> {
    const rows = await db.selectFrom('votes').select(['userId', 'projectId']).execute();
    const stored = new Set(rows.map(({ userId, projectId }) => `${userId}-${projectId}`));
    return [...this.acknowledged].filter((n) => {
      const { userId, projectId } = this.#voteOf(n);
      return !stored.has(`${userId}-${projectId}`);
    }).length;
  }
}
