import { setTimeout as sleep } from 'node:timers/promises';
import { findDifferencesAt } from '../../bench/exactness.ts';
import { Payers } from '../payers.ts';
import type { Random } from '../random.ts';
import { Voters } from '../voters.ts';
import type { Cluster, MachineNumber } from './cluster.ts';
import type { Fault } from './faults.ts';
import { Readers } from './readers.ts';
import type { Site } from './site.ts';

export interface Strike {
  fault: string;
  what: string;
  /** The longest time after the fault without an acknowledged vote. */
  withoutWritesMs: number;
  /** Reads that began in that time. */
  reads: number;
  readsServed: number;
  moved: boolean;
  /** From the fault until three members run and follow again. */
  wholeAfterMs: number;
  fromMs: number;
  toMs: number;
}

export interface FailoverResult {
  capacity: number;
  perSecond: number;
  votes: number;
  payments: number;
  strikes: Strike[];
  /** Acknowledged votes that are not stored, by when they were due. */
  lost: number[];
  /** Everything that was lost, doubled, answered incorrectly or is contradictory, in words. */
  broken: string[];
}

export interface Pace {
  rounds: number;
  /** Shuffles the faults of each round; without it, they keep their order. */
  random: Random | null;
  calmMs: number;
  capacityMs: number;
  maxPerSecond: number;
}

const LEADER_PATIENCE_MS = 60_000;
const WHOLE_PATIENCE_MS = 120_000;
/** How long a fault lasts after votes are acknowledged again, so that all members have noticed it. */
const AFTERWARDS_MS = 3_000;
const LOOK_MS = 50;

interface Load {
  voters: Voters;
  payers: Payers;
  readers: Readers;
}

async function leaderNow(cluster: Cluster, patienceMs: number): Promise<MachineNumber> {
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    const leader = await cluster.leader();
    if (leader !== null) return leader;
    if (performance.now() > untilMs) throw new Error(`nobody leads after ${patienceMs / 1000} s`);
    await sleep(LOOK_MS);
  }
}

/** The longest stretch without an acknowledged vote that ends after the fault: its start and end. */
export function longestGap(countedAtMs: readonly number[], fromMs: number, toMs: number): [number, number] {
  const before = countedAtMs.findLast((atMs) => atMs <= fromMs) ?? fromMs;
  const points = [before, ...countedAtMs.filter((atMs) => atMs > fromMs && atMs <= toMs), toMs];
  let gap: [number, number] = [fromMs, fromMs];
  for (const [at, point] of points.entries()) {
    const start = points[at - 1];
    if (start !== undefined && point - start > gap[1] - gap[0]) gap = [start, point];
  }
  return gap;
}

async function votesAgain({ countedAtMs }: Voters, fromMs: number): Promise<void> {
  const untilMs = performance.now() + LEADER_PATIENCE_MS;
  const first = countedAtMs.length;
  // The first ones may have been in flight when it struck.
  while (performance.now() < untilMs) {
    const later = countedAtMs.slice(first).filter((atMs) => atMs > fromMs + 500);
    if (later.length >= 20) return;
    await sleep(LOOK_MS);
  }
  throw new Error(`no vote was acknowledged for ${LEADER_PATIENCE_MS / 1000} s`);
}

async function strikeOnce(cluster: Cluster, load: Load, fault: Fault, round: number): Promise<Strike> {
  const before = await leaderNow(cluster, LEADER_PATIENCE_MS);
  const fromMs = performance.now();
  const { what, end } = await fault.strike(cluster, before, round);
  await votesAgain(load.voters, fromMs);
  await sleep(AFTERWARDS_MS);
  await end?.();
  await cluster.becomesWhole(WHOLE_PATIENCE_MS);
  const toMs = performance.now();
  const gap = longestGap(load.voters.countedAtMs, fromMs, toMs);
  // Requests in flight still get their responses.
  await sleep(500);
  const reads = load.readers.between(Math.max(gap[0], fromMs), gap[1]);
  return {
    fault: fault.name,
    what,
    withoutWritesMs: gap[1] - gap[0],
    reads: reads.all,
    readsServed: reads.served,
    moved: (await leaderNow(cluster, LEADER_PATIENCE_MS)) !== before,
    wholeAfterMs: toMs - fromMs,
    fromMs,
    toMs,
  };
}

/**
 * Faults in turn, round after round, while people vote, pay and read. In the end, everything that was acknowledged must
 * exist exactly once.
 */
export async function runFailovers(
  cluster: Cluster,
  site: Site,
  options: { faults: readonly Fault[]; pace: Pace; log: (line: string) => void },
): Promise<FailoverResult> {
  const { faults, pace, log } = options;
  const url = cluster.siteUrl;
  const voters = new Voters({
    urls: [url],
    users: site.users,
    projects: site.projects,
    // Retries for two minutes, at growing intervals: thousands wait at the same time.
    maxAttempts: 70,
    pauseMs: (attempts) => Math.min(4_000, 250 * 2 ** attempts) * (0.5 + Math.random()),
    maxSockets: 512,
  });
  const payers = await Payers.begin({ ...site, servers: [{ url }, { url }] }, 2);
  const readers = new Readers(url);
  const capacity = await voters.measureCapacity(pace.capacityMs, 64);
  const perSecond = Math.max(10, Math.min(pace.maxPerSecond, Math.floor(capacity / 2)));
  log(`  ${Math.round(capacity)} votes/s at most with all of this on one machine; ${perSecond} are cast per second`);
  const ending = new AbortController();
  const people = Promise.all([
    voters.voteSteadily(perSecond, ending.signal),
    payers.payUntil(ending.signal),
    readers.readUntil(ending.signal),
  ]);
  const load = { voters, payers, readers };
  const strikes: Strike[] = [];
  const failures: string[] = [];
  for (let round = 0; round < pace.rounds && failures.length === 0; round += 1) {
    for (const fault of pace.random?.shuffled(faults) ?? faults) {
      await sleep(pace.calmMs);
      try {
        const strike = await strikeOnce(cluster, load, fault, round);
        strikes.push(strike);
        log(
          `  ${round + 1}. ${fault.title} (${strike.what}): ${(strike.withoutWritesMs / 1000).toFixed(1)} s without writes, ${strike.readsServed} of ${strike.reads} reads served, whole after ${(strike.wholeAfterMs / 1000).toFixed(1)} s`,
        );
      } catch (error) {
        failures.push(`${fault.name}: ${(error as Error).message}`);
        log(`✗ ${failures.at(-1)}`);
        break;
      }
    }
  }
  await sleep(pace.calmMs);
  ending.abort();
  await people;
  return { capacity, perSecond, strikes, ...(await conclude(cluster, site, load, failures)) };
}

async function conclude(
  cluster: Cluster,
  site: Site,
  { voters, payers }: Load,
  failures: string[],
): Promise<Pick<FailoverResult, 'votes' | 'payments' | 'lost' | 'broken'>> {
  const lost = await voters.findLost(site.client.db);
  const statuses = new Set([...voters.serverErrors, ...payers.serverErrors].map(({ status }) => status));
  const broken = [
    ...failures,
    ...(lost.length > 0 ? [`${lost.length} votes were acknowledged and are lost`] : []),
    ...(voters.givenUp.length > 0 ? [`${voters.givenUp.length} voters gave up`] : []),
    ...[...statuses].filter((status) => ![502, 503, 504].includes(status)).map((status) => `status ${status} was sent`),
    ...voters.surprises.slice(0, 10),
    ...[...new Set(payers.failures)].map((message) => `a payer could not pay: ${message}`),
    ...(payers.given.size === 0 ? ['nobody paid'] : []),
    ...(await payers.findDifferences()),
    ...(await findDifferencesAt(cluster.directUrl)),
  ];
  const due = lost.map((n) => voters.acknowledged.get(n) ?? 0);
  return { votes: voters.acknowledged.size, payments: payers.given.size, lost: due, broken };
}
