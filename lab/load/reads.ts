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
const FEED_USERS = 1_000;

const READS: Record<string, string> = {
  'list of ten': '/api/projects?limit=10',
  'look-up': `/api/v1/lookup?package=0x${'1'.padStart(64, '0')}`,
  badge: '/badge/project-1.svg',
};

type Next = () => { url: string; cookie?: string };
const always =
  (url: string): Next =>
  () => ({ url });

/** Sends as many requests as fit into `ms`. */
async function measure(next: Next, ms: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const untilMs = performance.now() + ms;
  let answered = 0;
  const one = () => {
    const { url, cookie } = next();
    return new Promise<void>((resolve, reject) => {
      request(url, { agent, headers: cookie === undefined ? {} : { cookie } }, (response) =>
        response.resume().on('end', () => {
          if (response.statusCode === 200) answered += 1;
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

/** Processor time of a signed-in user's feed on each side, and the share of it that a bare server needs; both are measured in turns. */
export async function measureReads(owner: Owner, sides: readonly ReadSide[], ms: number): Promise<Finding[]> {
  const microsOf = async (next: Next, used: () => Promise<number>): Promise<number> => {
    const before = await used();
    const answered = await measure(next, ms);
    return (1000 * ((await used()) - before)) / answered;
  };
  let turn = 0;
  const feedOf = (url: string) => () => {
    const userId = (turn++ % FEED_USERS) + 1;
    return { url: `${url}/api/projects?userId=${userId}`, cookie: cookieOf(userId) };
  };
  const feeds = sides.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [at, { url, pid, databaseMs }] of sides.entries()) {
      const micros = await microsOf(feedOf(url), async () => (await processMs(pid)) + (await databaseMs()));
      // The first round warms up.
      if (round > 0) feeds[at]?.push(micros);
    }
  const findings = sides.map(({ name }, at): Finding => ({
    name: `${name}: own feed`,
    value: median(feeds[at] ?? []),
    unit: 'µs',
    detail: spread(feeds[at] ?? []),
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
