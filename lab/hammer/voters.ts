import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#db/client.ts';
import { VOTES_PER_WINDOW } from '#shared/constants.ts';
import { cookieOf } from '../bench/requests.ts';

/** One vote from the moment it was due to the moment its voter got the outcome. */
interface Cast {
  dueAtMs: number;
  waitedMs: number;
}

export interface ServerError {
  atMs: number;
  status: number;
}

export interface VoterOptions {
  urls: readonly string[];
  users: number;
  projects: number;
  /** Number of attempts before a voter gives up, the wait before each, and the maximum number of concurrent votes. */
  maxAttempts?: number;
  pauseMs?: (attempts: number) => number;
  maxSockets?: number;
}

const TICK_MS = 5;
const TRY_MS = 15_000;
const MAX_ATTEMPTS = 60;
const PAUSE_MS = 250;

/** Votes whose user changes each time, and whose project changes when all users have had their turn. */
export class Voters {
  /** 5xx responses to honest people, with their time. */
  readonly serverErrors: ServerError[] = [];
  readonly casts: Cast[] = [];
  /** Time of the latest vote that was confirmed as counted. */
  readonly countedAtMs: number[] = [];
  /** Votes that were confirmed as counted: the number of each, with when it was due. */
  readonly acknowledged = new Map<number, number>();
  readonly givenUp: number[] = [];
  readonly surprises: string[] = [];
  private readonly agent: Agent;
  private readonly options: VoterOptions;
  private made = 0;
  private under = 0;

  constructor(options: VoterOptions) {
    this.options = options;
    this.agent = new Agent({ keepAlive: true, maxSockets: options.maxSockets ?? 96 });
  }

  get sent(): number {
    return this.made;
  }

  /** The user and project of the n-th vote; at most 25 votes of each user are in one window. */
  voteOf(n: number): { userId: number; projectId: number } {
    const { users, projects } = this.options;
    const [userId, round] = [(n % users) + 1, Math.floor(n / users)];
    return { userId, projectId: ((userId * 7919 + round * 104_729) % projects) + 1 };
  }

  private post(n: number, url: string): Promise<number> {
    const { userId, projectId } = this.voteOf(n);
    const body = JSON.stringify({ userId, projectId, voteType: n % 3 === 0 ? 'bearish' : 'bullish' });
    const { hostname, port } = new URL(url);
    return new Promise((resolve) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': String(body.length),
        cookie: cookieOf(userId),
        // Each voter comes from a separate address, through one proxy.
        'x-forwarded-for': `10.${(userId >> 16) & 255}.${(userId >> 8) & 255}.${userId & 255}`,
      };
      const sent = httpRequest(
        { agent: this.agent, hostname, port, path: '/api/votes', method: 'POST', headers, timeout: TRY_MS },
        (response) => response.resume().on('close', () => resolve(response.statusCode ?? 0)),
      );
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
  }

  /** Casts one vote as a browser does: retries, at the other server, until it has the outcome. */
  async cast(n: number, dueAtMs: number): Promise<void> {
    const { urls, maxAttempts = MAX_ATTEMPTS, pauseMs = () => PAUSE_MS } = this.options;
    for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
      const status = await this.post(n, urls[(n + attempts) % urls.length] ?? '');
      if (status >= 500) this.serverErrors.push({ atMs: performance.now(), status });
      if (status === 200) this.countedAtMs.push(performance.now());
      if (status === 200 || (status === 409 && attempts > 0)) {
        this.casts.push({ dueAtMs, waitedMs: performance.now() - dueAtMs });
        this.acknowledged.set(n, dueAtMs);
        return;
      }
      if (status !== 0 && status < 500 && status !== 429)
        return void this.surprises.push(`vote ${n}: status ${status}`);
      await sleep(pauseMs(attempts));
    }
    this.givenUp.push(n);
  }

  /** Casts as many votes as possible in that time with this concurrency; returns votes per second. */
  async measureCapacity(ms: number, atOnce: number): Promise<number> {
    const startedAtMs = performance.now();
    let done = 0;
    const work = async (): Promise<void> => {
      while (performance.now() - startedAtMs < ms) {
        await this.cast(this.made++, performance.now());
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return done / ((performance.now() - startedAtMs) / 1000);
  }

  /**
   * Votes at a steady rate until aborted, or until no user has votes left in their window, whether or not the responses
   * keep up; resolves when all have their responses.
   */
  async voteSteadily(perSecond: number, signal: AbortSignal): Promise<void> {
    const [startedAtMs, first] = [performance.now(), this.made];
    const most = this.options.users * VOTES_PER_WINDOW;
    while (!signal.aborted && this.made < most) {
      const due = Math.min(most - first, Math.floor(((performance.now() - startedAtMs) / 1000) * perSecond));
      for (; this.made - first < due; this.made += 1) {
        const dueAtMs = startedAtMs + ((this.made - first) / perSecond) * 1000;
        this.under += 1;
        void this.cast(this.made, dueAtMs).finally(() => (this.under -= 1));
      }
      await sleep(TICK_MS);
    }
    // From here on, attacks run without any voters.
    if (!signal.aborted) this.surprises.push(`no votes were left after ${this.made}`);
    while (this.under > 0) await sleep(50);
    this.agent.destroy();
  }

  /** The 99th percentile of the votes due between two moments, in ms. */
  p99Ms(fromMs: number, toMs: number): number {
    const waits = this.casts
      .filter(({ dueAtMs }) => dueAtMs >= fromMs && dueAtMs < toMs)
      .map(({ waitedMs }) => waitedMs)
      .toSorted((one, other) => one - other);
    return waits[Math.min(waits.length - 1, Math.floor(waits.length * 0.99))] ?? Number.NaN;
  }

  /** Votes that were confirmed as counted and are not stored, by number. */
  async findLost(db: Db): Promise<number[]> {
    const rows = await db.selectFrom('votes').select(['userId', 'projectId']).execute();
    const stored = new Set(rows.map(({ userId, projectId }) => `${userId}-${projectId}`));
    return [...this.acknowledged.keys()].filter((n) => {
      const { userId, projectId } = this.voteOf(n);
      return !stored.has(`${userId}-${projectId}`);
    });
  }
}
