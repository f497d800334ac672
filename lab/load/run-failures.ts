/**
 * Users vote and renew listings on two servers while one machine after the other fails. Users see 503 at most, a payment
 * is made during each failure, and the books agree after it. At the end every acknowledged vote is stored, and the money
 * on the chain equals the payments and the listings.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { WITHOUT_RATE_LIMITS } from '../settings.ts';
import { type Stack, startStack } from '../stack.ts';
import { findDifferencesAt } from './differences.ts';
import { type Failure, FAILURES } from './failures.ts';
import { Payers } from './payers.ts';
import { plantPeople } from './people.ts';
import { Voters } from './voters.ts';

const USERS = 8_000;
const PROJECTS = 60;
const PAYERS = 2;
/** Low enough that votes are left after twenty minutes on a busy machine. */
const MAX_PER_SECOND = 160;
const CAPACITY_MS = 1_000;
const CALM_MS = 300;
/** Time limit for the repair after a failure. */
const END_MS = 300_000;
/** Time limit for a payment that begins during a failure; payers are as slow as the machine. */
const PAYMENT_MS = 60_000;

interface FailureResult {
  name: string;
  detail: string;
  problems: string[];
}

interface FailuresResult {
  results: FailureResult[];
  /** Failures that could not be played on this machine, and why. */
  leftOut: Array<{ name: string; lacks: string }>;
  votes: number;
  payments: number;
  problems: string[];
}

async function plant({ client }: Stack): Promise<void> {
  const connection = await client.pool.connect();
  await plantPeople(connection, USERS, PROJECTS);
  await connection.query('ANALYZE');
  connection.release();
}

interface Site {
  stack: Stack;
  voters: Voters;
  payers: Payers;
}

async function play({ stack, voters, payers }: Site, failure: Failure, ms: number): Promise<FailureResult> {
  const paidBefore = payers.given.size;
  const errors = (): number[] => [...voters.serverErrors, ...payers.serverErrors].filter((status) => status !== 503);
  const errorsBefore = errors().length;
  const problems: string[] = [];
  await sleep(CALM_MS);
  const detail = await Promise.race([
    failure.run(stack, AbortSignal.timeout(ms)).catch((error: Error) => void problems.push(error.message)),
    sleep(ms + END_MS, null, { ref: false }),
  ]);
  if (detail === null) problems.push(`it did not end in ${END_MS / 1000} s`);
  await sleep(CALM_MS);
  const untilMs = performance.now() + PAYMENT_MS;
  while (payers.given.size === paidBefore && performance.now() < untilMs) await sleep(50);
  if (payers.given.size === paidBefore) problems.push('no payment was made during it');
  const wrong = errors().length - errorsBefore;
  if (wrong > 0) problems.push(`${wrong} responses to users were errors other than 503`);
  problems.push(...(await findDifferencesAt(stack.database.url).catch((error: Error) => [error.message])));
  return { name: failure.name, detail: detail ?? '', problems };
}

interface FailuresOptions {
  seconds: number;
  /** Parts of names of the failures to run; by default all. */
  only?: readonly string[] | undefined;
  log: (line: string) => void;
}

export async function runFailures(
  lifecycle: Lifecycle,
  { seconds, only, log }: FailuresOptions,
): Promise<FailuresResult> {
  const stack = await startStack(lifecycle, { NODE_ENV: 'production', ...WITHOUT_RATE_LIMITS }, { ownDisk: true });
  await plant(stack);
  const voters = new Voters({ urls: stack.servers.map(({ url }) => url), users: USERS, projects: PROJECTS });
  const payers = await Payers.begin(stack, PAYERS);
  const { perSecond: capacity } = await voters.measureCapacity(CAPACITY_MS);
  const perSecond = Math.min(MAX_PER_SECOND, Math.floor(capacity / 2));
  log(`  ${Math.round(capacity)} votes/s at most; users cast ${perSecond}`);
  const ending = new AbortController();
  const users = Promise.all([voters.voteSteadily(perSecond, ending.signal), payers.payUntil(ending.signal)]);
  const results: FailureResult[] = [];
  const leftOut: FailuresResult['leftOut'] = [];
  for (const failure of FAILURES) {
    if (only && !only.some((part) => failure.name.includes(part))) continue;
    const lacks = failure.lacks?.(stack) ?? null;
    if (lacks !== null) {
      leftOut.push({ name: failure.name, lacks });
      continue;
    }
    const result = await play({ stack, voters, payers }, failure, seconds * 1_000);
    results.push(result);
    log(
      `${result.problems.length === 0 ? '✓' : '✗'} ${[result.name, result.detail, ...result.problems].filter(Boolean).join('; ')}`,
    );
  }
  ending.abort();
  await users;
  const lost = await voters.countLost(stack.client.db);
  const problems = [
    ...(lost > 0 ? [`${lost} votes were acknowledged and are not stored`] : []),
    ...voters.problems.slice(0, 10),
    ...[...payers.problems].map((message) => `a renewal was not paid: ${message}`),
    ...(await payers.findDifferences()),
    ...(await findDifferencesAt(stack.database.url)),
  ];
  return { results, leftOut, votes: voters.acknowledged.size, payments: payers.given.size, problems };
}
