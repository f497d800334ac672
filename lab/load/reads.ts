import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import path from 'node:path';
import type { Owner } from '../stack.ts';
import { cookieOf } from './people.ts';
import { processMs } from './processor.ts';
import { type Finding, median, spread } from './report.ts';

const AT_ONCE = 16;
const ROUNDS = 3;
const OWN_USERS = 1_000;

const READS: Record<string, string> = {
  'list of ten': '/api/projects?limit=10',
  'look-up': `/api/v1/lookup?package=0x${'1'.padStart(64, '0')}`,
  badge: '/badge/project-1.svg',
};

type Next = () => { url: string; headers?: Record<string, string> };
const always =
  (url: string): Next =>
  () => ({ url });

/** Sends as many requests as fit into `ms`. */
async function measure(next: Next, ms: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const untilMs = performance.now() + ms;
  let answered = 0;
  const one = () => {
    const { url, headers = {} } = next();
    return new Promise<void>((resolve, reject) => {
      request(url, { agent, headers }, (response) =>
        response.resume().on('end', () => {
          if (response.statusCode === 200 || response.statusCode === 304) answered += 1;
          resolve();
        }),
      )
        .on('error', reject)
        .end();
    });
  };
  const work = async (): Promise<void> => {
    while (performance.now() < untilMs) await one();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  return answered;
}

/** Starts one of the bare servers beside this file. */
export async function startRaw(owner: Owner, file: string, argument: string): Promise<{ pid: number; url: string }> {
  const raw = fork(path.join(import.meta.dirname, file), [argument], { execArgv: [] });
  await owner.atEnd(async () => void raw.kill());
  const [port] = (await once(raw, 'message')) as [number];
  return { pid: raw.pid ?? 0, url: `http://127.0.0.1:${port}` };
}

export interface ReadSide {
  name: string;
  url: string;
  pid: number;
  /** Processor time of PostgreSQL so far. */
  databaseMs: () => Promise<number>;
}

const feedOf = (userId: number) => `/api/projects?userId=${userId}`;
const pollOf = (userId: number) => `/api/users/${userId}/voting-status`;

/** What a user reads of the user's own; a poll already has the response. */
async function ownReads({ url }: ReadSide): Promise<Record<string, Next>> {
  const etags = await Promise.all(
    Array.from({ length: OWN_USERS }, async (_, at) => {
      const { headers } = await fetch(url + pollOf(at + 1), { headers: { cookie: cookieOf(at + 1) } });
      return headers.get('etag') ?? '';
    }),
  );
  let turn = 0;
  const next = () => (turn++ % OWN_USERS) + 1;
  return {
    feed: () => {
      const userId = next();
      return { url: url + feedOf(userId), headers: { cookie: cookieOf(userId) } };
    },
    poll: () => {
      const userId = next();
      const headers = { cookie: cookieOf(userId), 'if-none-match': etags[userId - 1] ?? '' };
      return { url: url + pollOf(userId), headers };
    },
  };
}

/** Processor time of a signed-in user's feed and polls on each side, and the share of public reads that a bare server needs; all are measured in turns. */
export async function measureReads(owner: Owner, sides: readonly ReadSide[], ms: number): Promise<Finding[]> {
  const microsOf = async (next: Next, used: () => Promise<number>): Promise<number> => {
    const before = await used();
    const answered = await measure(next, ms);
    return (1000 * ((await used()) - before)) / answered;
  };
  const own = new Map<string, number[]>();
  const nexts = await Promise.all(sides.map(ownReads));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [at, { name, pid, databaseMs }] of sides.entries())
      for (const [what, next] of Object.entries(nexts[at] ?? {})) {
        const micros = await microsOf(next, async () => (await processMs(pid)) + (await databaseMs()));
        const read = `${name}: own ${what}`;
        // The first round warms up.
        own.set(read, round === 0 ? [] : [...(own.get(read) ?? []), micros]);
      }
  const findings = [...own].map(([name, micros]): Finding => ({
    name,
    value: median(micros),
    unit: 'µs',
    detail: spread(micros),
  }));
  for (const { name, url, pid } of sides)
    for (const [what, at] of Object.entries(READS)) {
      const body = Buffer.from(await (await fetch(url + at)).arrayBuffer());
      const raw = await startRaw(owner, 'raw-server.ts', body.toString('base64'));
      const [ours, bare]: [number[], number[]] = [[], []];
      await measure(always(url + at), ms);
      for (let round = 1; round <= ROUNDS; round += 1) {
        ours.push(await microsOf(always(url + at), () => processMs(pid)));
        bare.push(await microsOf(always(raw.url), () => processMs(raw.pid)));
      }
      const detail = `${Math.round(median(bare))} of ${Math.round(median(ours))} µs`;
      findings.push({ name: `${name}: bare ÷ our ${what}`, value: median(bare) / median(ours), unit: '×', detail });
    }
  return findings;
}
