import { forkReady } from '#ops/process/children.ts';
import { step } from '#ops/process/report.ts';
import { readOverHttp } from './contest.ts';
import { fillPeople } from './data.ts';
import { type Finding, median, spread } from './report.ts';
import { startBenchDatabase, startBenchServer } from './stack.ts';
import type { PartOptions } from './suite.ts';

/** Public lists with a length that none of our pages asks for, and the look-up of a coin. */
const COIN = '0x7::coin::COIN';
const PATHS = [
  '/api/projects?limit=10',
  '/api/projects/leaderboard/all?limit=10',
  '/api/v1/projects?limit=10',
  `/api/v1/lookup?coin=${COIN}`,
];
const PROJECTS = 300;

const requestOf = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Public lists of any length: bytes from memory, against the minimal server. */
export async function lists({ lifecycle, pace }: PartOptions): Promise<Finding[]> {
  const database = await step('Database started', () => startBenchDatabase(lifecycle));
  await fillPeople(database.client, 100, PROJECTS);
  await database.client.query(
    `UPDATE projects SET coin_type = '0x' || lpad('7', 64, '0') || '::coin::COIN' WHERE id = (SELECT min(id) FROM projects)`,
  );
  const server = await startBenchServer(lifecycle, database.url);
  const hello = await lifecycle.own(forkReady({ name: 'The reference', file: 'lab/bench/hello.ts', env: process.env }));
  const load = { connections: 64, seconds: pace.runSeconds };
  const reference: number[] = [];
  const ours = new Map<string, number[]>(PATHS.map((path) => [path, []]));
  for (const path of PATHS) await readOverHttp(server.url, [requestOf(path)], { ...load, seconds: pace.sweepSeconds });
  for (let pair = 1; pair <= pace.pairs; pair += 1) {
    await step(`lists ${pair}/${pace.pairs}`, async () => {
      reference.push((await readOverHttp(String(hello.ready.url), [requestOf('/')], load)).perSecond);
      for (const [path, rates] of ours) rates.push((await readOverHttp(server.url, [requestOf(path)], load)).perSecond);
    });
  }
  await Promise.all([server.stop(), hello.stop()]);
  return [...ours].map(([path, rates]) => ({
    name: `${path} ÷ raw node:http`,
    value: median(rates) / median(reference),
    unit: '×',
    atLeast: 0.3,
    detail: `${spread(rates)} lists ÷ ${spread(reference)} hellos per second, ${load.connections} connections`,
  }));
}
