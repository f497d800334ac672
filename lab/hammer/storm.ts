import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { fillPeople } from '../bench/data.ts';
import { findDifferencesAt } from '../bench/exactness.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { ROOT } from '#ops/process/report.ts';
import { type Attackers, createAttackers } from './attackers.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { startDistantAttackers } from './distant.ts';
import { FAILURES } from './failures.ts';
import { Payers } from './payers.ts';
import { type Stack, startStack } from './stack.ts';
import { type ServerError, Voters } from './voters.ts';

export interface Line {
  name: string;
  /** Failures of machines may be noticeable; attacks may not. */
  isAssessed: boolean;
  beforeMs: number;
  duringMs: number;
  memoryMb: number;
  /** Responses of 500 and more to honest people. */
  serverErrors: number;
  /** Those among them without 'come back later'. */
  otherErrors: number;
  contradictions: string[];
  /** Votes of this time that were confirmed as counted and are not stored. */
  lost: number;
  /** Payments that a server got from the calm before to the end. */
  payments: number;
  /** Delay of this process itself (p99), which sends the honest votes; `duringMs` includes it. */
  ownDelayMs: number;
  /** Why the attack itself broke off, which would make everything else look fine; null when it ran to its end. */
  failure: string | null;
  detail: string;
  fromMs: number;
  toMs: number;
}

export interface StormResult {
  capacity: number;
  perSecond: number;
  votes: number;
  payments: number;
  lines: Line[];
  /** Attacks that could not run on this machine, and why: nothing is proven about them. */
  leftOut: Array<{ name: string; lacks: string }>;
  /** Contradictions, losses and wrong responses of the whole run. */
  broken: string[];
}

export interface Pace {
  calmMs: number;
  attackMs: number;
  users: number;
  maxPerSecond: number;
  capacityMs: number;
  /** How long a first payment may take after the end of an attack; payers are as slow as the machine. */
  paymentPatienceMs: number;
}

export const FULL: Pace = {
  calmMs: 5_000,
  attackMs: 12_000,
  users: 24_000,
  maxPerSecond: 600,
  capacityMs: 6_000,
  paymentPatienceMs: 0,
};
export const QUICK: Pace = {
  ...FULL,
  calmMs: 2_000,
  attackMs: 3_000,
  users: 8_000,
  maxPerSecond: 400,
  capacityMs: 3_000,
};
/**
 * Without limits on waits: a part of npm run test:all. A second of each attack is thousands of its requests, or one whole failure. So few votes
 * that there are some left after 20 minutes, where other tests take the processor.
 */
export const UNTIMED: Pace = {
  ...QUICK,
  calmMs: 300,
  attackMs: 1_000,
  maxPerSecond: 160,
  capacityMs: 1_000,
  paymentPatienceMs: 60_000,
};

const PROJECTS = 60;
const PAYERS = 2;
/** Time limit for the end of everything that an attack has begun. */
const END_MS = 300_000;

/** Bench users with sessions, and projects to vote on. */
async function fill(stack: Stack, users: number): Promise<void> {
  const client = new pg.Client({ connectionString: stack.database.url });
  await client.connect();
  try {
    // The bench's people also come with counters for its reference.
    await client.query(await readFile(path.join(ROOT, 'lab/bench', 'reference.sql'), 'utf8'));
    await fillPeople(client, users, PROJECTS);
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}

class Storm {
  private readonly stack: Stack;
  private readonly voters: Voters;
  private readonly payers: Payers;
  private readonly attackers: Attackers<Stack>;
  private readonly pace: Pace;

  constructor(stack: Stack, honest: { voters: Voters; payers: Payers }, attackers: Attackers<Stack>, pace: Pace) {
    this.stack = stack;
    this.voters = honest.voters;
    this.payers = honest.payers;
    this.attackers = attackers;
    this.pace = pace;
  }

  private errorsBetween(fromMs: number, toMs: number): ServerError[] {
    const all = [...this.voters.serverErrors, ...this.payers.serverErrors];
    return all.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  }

  /** A calm time, the attack, and a check of the books. */
  async endure(attack: Attack<Stack>, isAssessed: boolean): Promise<Line> {
    const { calmMs, attackMs, paymentPatienceMs } = this.pace;
    await attack.prepare?.(this.attackers);
    await Promise.all(this.stack.servers.map((server) => server.resetPeak()));
    const paidBefore = this.payers.given.size;
    const calmFromMs = performance.now();
    await sleep(calmMs);
    const ownDelay = monitorEventLoopDelay({ resolution: 5 });
    ownDelay.enable();
    const fromMs = performance.now();
    const ending = AbortSignal.timeout(attackMs);
    let failure: string | null = null;
    const detail = await Promise.race([
      attack.run(this.attackers, ending).catch((error: Error) => {
        failure = `ended with: ${error.message}`;
        return failure;
      }),
      sleep(attackMs + END_MS, null, { ref: false }),
    ]);
    failure ??= detail === null ? `did not end in ${END_MS / 1000} s` : null;
    const toMs = performance.now();
    ownDelay.disable();
    const memoryMb = Math.max(...(await Promise.all(this.stack.servers.map((server) => server.peakMemoryMb()))));
    // Delayed requests need their responses before they can be counted.
    await sleep(Math.min(1_500, calmMs));
    const untilMs = performance.now() + paymentPatienceMs;
    while (this.payers.given.size === paidBefore && performance.now() < untilMs) await sleep(50);
    const errors = this.errorsBetween(fromMs, toMs);
    return {
      name: attack.name,
      isAssessed,
      beforeMs: this.voters.p99Ms(calmFromMs, fromMs),
      duringMs: this.voters.p99Ms(fromMs, toMs),
      memoryMb,
      serverErrors: errors.length,
      otherErrors: errors.filter(({ status }) => status !== 503).length,
      contradictions: await findDifferencesAt(this.stack.database.url).catch((error: Error) => [error.message]),
      lost: 0,
      payments: this.payers.given.size - paidBefore,
      ownDelayMs: ownDelay.percentile(99) / 1e6,
      failure,
      detail: detail ?? '',
      fromMs,
      toMs,
    };
  }
}

const isMeant = (name: string, only: readonly string[] | undefined): boolean =>
  only === undefined || only.some((part) => name.includes(part));

export async function runStorm(
  lifecycle: Lifecycle,
  options: { pace: Pace; log: (line: string) => void; only?: readonly string[] | undefined },
): Promise<StormResult> {
  const { pace, log } = options;
  const env = { NODE_ENV: 'production', TRUST_PROXY: '127.0.0.1' };
  const stack = await startStack(lifecycle, { durable: true, ownDisk: true, env });
  await fill(stack, pace.users);
  const voters = new Voters({ urls: stack.servers.map(({ url }) => url), users: pace.users, projects: PROJECTS });
  const payers = await Payers.begin(stack, PAYERS);
  const attackers = await createAttackers(stack);
  const distant = await startDistantAttackers(lifecycle, stack);
  const capacity = await voters.measureCapacity(pace.capacityMs, 64);
  const perSecond = Math.min(pace.maxPerSecond, Math.floor(capacity / 2));
  log(`  ${Math.round(capacity)} votes/s at most with this load generator beside it; honest people cast ${perSecond}`);
  const ending = new AbortController();
  const honest = Promise.all([voters.voteSteadily(perSecond, ending.signal), payers.payUntil(ending.signal)]);
  const storm = new Storm(stack, { voters, payers }, attackers, pace);
  const lines: Line[] = [];
  const leftOut: StormResult['leftOut'] = [];
  await sleep(pace.calmMs);
  for (const [list, isAssessed] of [
    [ATTACKS.map(distant), true],
    [FAILURES, false],
  ] as const) {
    for (const attack of list.filter(({ name }) => isMeant(name, options.only))) {
      const lacks = attack.lacks?.(stack) ?? null;
      if (lacks !== null) {
        leftOut.push({ name: attack.name, lacks });
        continue;
      }
      attackers.address = `203.0.113.${lines.length + 1}`;
      const line = await storm.endure(attack, isAssessed);
      lines.push(line);
      log(`  ${line.name}: ${line.beforeMs.toFixed(1)} → ${line.duringMs.toFixed(1)} ms  ${line.detail}`);
    }
  }
  ending.abort();
  await honest;
  return { ...(await conclude(stack, { voters, payers }, lines)), capacity, perSecond, leftOut };
}

/** The final check: everything that was acknowledged must exist, once. */
async function conclude(
  stack: Stack,
  { voters, payers }: { voters: Voters; payers: Payers },
  lines: Line[],
): Promise<Pick<StormResult, 'votes' | 'payments' | 'lines' | 'broken'>> {
  const lost = await voters.findLost(stack.client.db);
  for (const n of lost) {
    const dueAtMs = voters.acknowledged.get(n) ?? 0;
    const line = lines.find(({ fromMs, toMs }) => dueAtMs >= fromMs && dueAtMs < toMs);
    if (line) line.lost += 1;
  }
  const broken = [
    ...(lost.length > 0 ? [`${lost.length} votes were answered as counted and are lost`] : []),
    ...(voters.givenUp.length > 0 ? [`${voters.givenUp.length} voters gave up`] : []),
    ...voters.surprises.slice(0, 10),
    // Without payments nothing is proven about payments.
    ...[...new Set(payers.failures)].map((message) => `an honest payer could not pay: ${message}`),
    ...lines.filter(({ payments }) => payments === 0).map(({ name }) => `no payment during: ${name}`),
    ...(await payers.findDifferences()),
    ...(await findDifferencesAt(stack.database.url)),
  ];
  return { votes: voters.acknowledged.size, payments: payers.given.size, lines, broken };
}
