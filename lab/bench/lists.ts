import { forkReady } from '#ops/process/children.ts';
import { step } from '#ops/process/report.ts';
import { readOverHttp } from './contest.ts';
import { fillPeople } from './data.ts';
import { type Finding, median, spread } from './report.ts';
import { startBenchDatabase, startBenchServer } from './stack.ts';
import type { PartOptions } from './suite.ts';

/** Public lists with a length that none of our pages asks for. */
const CACHED_LIST = '/api/v1/projects?limit=10';
const LISTS = ['/api/projects?limit=10', '/api/projects/leaderboard/all?limit=10', CACHED_LIST];
/** Others ask about one coin as often as for a list (R74). */
const COIN = '0x7::coin::COIN';
const BY_COIN = [`/api/v1/lookup?coin=${COIN}`, `/badge/coin/${COIN}.svg`];
const PATHS = [...LISTS, ...BY_COIN];
const PROJECTS = 300;

const requestOf = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Public lists of any length, the look-up and the badge of a coin: bytes from memory, against the minimal server and a list. */
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
      for (const [path, measured] of ours)
        measured.push((await readOverHttp(server.url, [requestOf(path)], load)).perSecond);
    });
  }
  await Promise.all([server.stop(), hello.stop()]);
  const rates = (path: string): number[] => ours.get(path) ?? [];
  const against = (path: string, [name, base]: [string, number[]], atLeast: number): Finding => ({
    name: `${path} ÷ ${name}`,
    value: median(rates(path)) / median(base),
    unit: '×',
    atLeast,
    detail: `${spread(rates(path))} ÷ ${spread(base)} per second, ${load.connections} connections`,
  });
  return [
    ...PATHS.map((path) => against(path, ['raw node:http', reference], 0.3)),
    ...BY_COIN.map((path) => against(path, [CACHED_LIST, rates(CACHED_LIST)], 0.8)),
  ];
}
