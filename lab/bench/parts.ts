import { forkReady } from '#ops/process/children.ts';
import { progress, step } from '#ops/process/report.ts';
import { readOverHttp } from './contest.ts';
import { fillPeople, fillVotes, age } from './data.ts';
import { findDifferencesAt } from './exactness.ts';
import { feeds } from './feed.ts';
import { lists } from './lists.ts';
import { type OpenLoopResult, sendSteadily } from './open-loop.ts';
import { overload } from './overload.ts';
import { compareReads, timeReads } from './reads.ts';
import { readings } from './readings.ts';
import { record } from './record.ts';
import { type Finding, median, spread } from './report.ts';
import { cookieOf, readRequest, voteRequest } from './requests.ts';
import { type BenchDatabase, startBenchDatabase, startBenchServer } from './stack.ts';
import {
  type Arena,
  type Duel,
  type PartOptions,
  type Setup,
  duel,
  freshBallot,
  openWindows,
  ourRun,
  ratio,
} from './suite.ts';

export interface Part {
  title: string;
  /** Runs by `--only` alone: it takes longer than all others together. */
  isLong?: true;
  work(options: PartOptions): Promise<Finding[]>;
}

const WARM_UP_SECONDS = 8;
const SMALL = { users: 200_000, projects: 1009 };

async function smallArena({ lifecycle, binDir, pace }: PartOptions): Promise<Arena> {
  const database = await step('Database started', () => startBenchDatabase(lifecycle));
  await step(`${SMALL.users.toLocaleString('en')} users`, () =>
    fillPeople(database.client, SMALL.users, SMALL.projects),
  );
  await age(database.client);
  return { lifecycle, database, binDir, pace, ...SMALL, nextRound: 0 };
}

function duelFinding(name: string, result: Duel, atLeast: number, aim: number): Finding {
  const detail = `HTTP ${spread(result.ours)} ÷ pgbench ${spread(result.reference)} votes/s; ${result.setup.processes} × process, ${result.setup.connections} connections, ${result.clients} clients`;
  return { name, value: ratio(result), unit: '×', atLeast, aim, detail };
}

async function exactness(arena: Arena): Promise<Finding> {
  const differences = await step('Exactness checked', () => findDifferencesAt(arena.database.url));
  return {
    name: 'rows that contradict each other afterwards',
    value: differences.length,
    unit: '',
    atMost: 0,
    detail: differences.slice(0, 3).join('; '),
  };
}

async function votes(options: PartOptions): Promise<Finding[]> {
  const arena = await smallArena(options);
  const uniform = await duel(arena, 'all projects alike', false);
  const hot = await duel(arena, 'three hot projects', true);
  const steady = await latency(arena, uniform.setup);
  const findings = [
    duelFinding('votes/s, all projects alike', uniform, 2, 3),
    duelFinding('votes/s, three hot projects', hot, 3.5, 5),
    steady.finding,
    ...(await connectionCounts(arena)),
    await twoProcesses(arena),
    memoryFinding([...uniform.memoryMb, ...hot.memoryMb, steady.memoryMb]),
  ];
  return [...findings, await exactness(arena)];
}

/** A cloud volume: two more milliseconds for each flush. */
async function flush(options: PartOptions): Promise<Finding[]> {
  const arena = await smallArena(options);
  await arena.database.delayFlush(2);
  const uniform = await duel(arena, '2 ms flush, all projects alike', false);
  const hot = await duel(arena, '2 ms flush, three hot projects', true);
  const findings = [
    duelFinding('2 ms per flush: votes/s, all projects alike', uniform, 2, 3),
    duelFinding('2 ms per flush: votes/s, three hot projects', hot, 10, 15),
  ];
  return [...findings, await exactness(arena)];
}

/** So slow that the processors of a small machine are idle most of the time. */
const SLOW_FLUSH_MS = 40;

async function overloaded(options: PartOptions): Promise<Finding[]> {
  const arena = await smallArena(options);
  // Where the processors are the limit, the load takes its share of them: reported, without a goal.
  const onProcessors = await overload(arena, 'processors', {});
  await arena.database.delayFlush(SLOW_FLUSH_MS);
  const onDatabase = await overload(arena, 'database', { atLeastShare: 0.9, atMostP99Ms: 750 });
  return [...onDatabase, ...onProcessors, await exactness(arena)];
}

/** Growth with the number of concurrent people. */
async function connectionCounts(arena: Arena): Promise<Finding[]> {
  const server = await startBenchServer(arena.lifecycle, arena.database.url);
  const findings: Finding[] = [];
  await ourRun(arena, server, false, 64, arena.pace.sweepSeconds);
  for (const connections of [1, 8, 64]) {
    const result = await step(`${connections} connections`, () =>
      ourRun(arena, server, false, connections, arena.pace.runSeconds),
    );
    findings.push({
      name: `votes/s with ${connections} connection${connections === 1 ? '' : 's'}`,
      value: result.perSecond,
      unit: '',
      detail: `p50 ${result.p50Ms.toFixed(2)} ms, p99 ${result.p99Ms.toFixed(2)} ms`,
    });
  }
  await server.stop();
  return findings;
}

/** Two server processes on one port against one, with as many connections: A B A B. */
async function twoProcesses(arena: Arena): Promise<Finding> {
  const connections = 128;
  const { runSeconds, pairs, sweepSeconds } = arena.pace;
  const [single, double] = [
    await startBenchServer(arena.lifecycle, arena.database.url, 1),
    await startBenchServer(arena.lifecycle, arena.database.url, 2),
  ];
  const [one, two]: [number[], number[]] = [[], []];
  for (const server of [single, double]) await ourRun(arena, server, false, connections, sweepSeconds);
  for (let pair = 1; pair <= pairs; pair += 1) {
    await step(`one process and two ${pair}/${pairs}`, async () => {
      one.push((await ourRun(arena, single, false, connections, runSeconds)).perSecond);
      two.push((await ourRun(arena, double, false, connections, runSeconds)).perSecond);
    });
  }
  await Promise.all([single.stop(), double.stop()]);
  const detail = `${spread(two)} ÷ ${spread(one)} votes/s, ${connections} connections`;
  return { name: 'votes/s, two processes ÷ one', value: median(two) / median(one), unit: '×', atLeast: 1, detail };
}

/** Polls of unchanged data: 304 from memory, against the minimal server. */
async function polls({ lifecycle, pace }: PartOptions): Promise<Finding[]> {
  const database = await step('Database started', () => startBenchDatabase(lifecycle));
  await fillPeople(database.client, POLLERS, 40);
  const server = await startBenchServer(lifecycle, database.url);
  const hello = await lifecycle.own(forkReady({ name: 'The reference', file: 'lab/bench/hello.ts', env: process.env }));
  const requests: string[] = [];
  for (let user = 1; user <= POLLERS; user += 1) requests.push(await pollOf(server.url, user));
  const load = { connections: 64, seconds: pace.runSeconds };
  const [ours, reference]: [number[], number[]] = [[], []];
  await readOverHttp(server.url, requests, { ...load, seconds: pace.sweepSeconds });
  for (let pair = 1; pair <= pace.pairs; pair += 1) {
    await step(`polls ${pair}/${pace.pairs}`, async () => {
      reference.push((await readOverHttp(String(hello.ready.url), requests, load)).perSecond);
      ours.push((await readOverHttp(server.url, requests, load)).perSecond);
    });
  }
  await Promise.all([server.stop(), hello.stop()]);
  const detail = `${spread(ours)} polls ÷ ${spread(reference)} hellos per second, ${load.connections} connections`;
  return [
    {
      name: 'unchanged polls/s (304) ÷ raw node:http',
      value: median(ours) / median(reference),
      unit: '×',
      atLeast: 0.6,
      aim: 0.8,
      detail,
    },
  ];
}

const POLLERS = 500;

async function pollOf(url: string, user: number): Promise<string> {
  const path = `/api/users/${user}/stats`;
  const response = await fetch(url + path, { headers: { cookie: cookieOf(user) } });
  const etag = response.headers.get('etag');
  if (response.status !== 200 || etag === null) throw new Error(`${path} answered ${response.status} without an ETag`);
  return readRequest(path, user, etag);
}

/** A year's worth of data: reads while it grows tenfold, then votes for minutes. */
async function big({ lifecycle, binDir, pace, quick }: PartOptions): Promise<Finding[]> {
  const size = quick ? { users: 100_000, projects: 10_007 } : { users: 1_000_000, projects: 10_007 };
  const { users, projects } = size;
  const database = await step('Database started', () => startBenchDatabase(lifecycle));
  await step(`${users.toLocaleString('en')} users, ${projects.toLocaleString('en')} projects`, () =>
    fillPeople(database.client, users, projects),
  );
  const grow = (from: number, to: number): Promise<void> =>
    step(`${((to + 1) * users).toLocaleString('en')} votes stored`, async () => {
      await fillVotes(database.client, { users, projects, from, to, onProgress: progress });
      await age(database.client);
    });
  await grow(0, 0);
  const before = await step('Reads', () => timeReads(database.url, users));
  await grow(1, 9);
  const after = await step('Reads', () => timeReads(database.url, users));
  const findings = compareReads(before, after);
  for (const plan of after.plans) console.log(plan);

  const arena: Arena = { lifecycle, database, binDir, pace, ...size, nextRound: 10 };
  const sustained = { seconds: pace.sustainedSeconds, pairs: 1 };
  const uniform = await duel(arena, 'big, all projects alike', false, sustained);
  const hot = await duel(arena, 'big, three hot projects', true, sustained);
  findings.push(
    duelFinding(
      `${pace.sustainedSeconds} s on ${(users * 10).toLocaleString('en')} votes: votes/s, all projects alike`,
      uniform,
      1.5,
      2.5,
    ),
    duelFinding(
      `${pace.sustainedSeconds} s on ${(users * 10).toLocaleString('en')} votes: votes/s, three hot projects`,
      hot,
      2,
      4,
    ),
    memoryFinding([...uniform.memoryMb, ...hot.memoryMb]),
    await bytesPerVote(database),
  );
  return [...findings, await exactness(arena)];
}

/** Permanent disk space of a vote: its row, which is the entry of its reward, with its key. */
async function bytesPerVote({ client }: BenchDatabase): Promise<Finding> {
  const { rows } = await client.query<{ heap: string; key: string; count: string }>(
    `SELECT pg_table_size('votes') AS heap, pg_indexes_size('votes') AS key, count(*) AS count FROM votes`,
  );
  const { heap, key, count } = rows[0] ?? { heap: '0', key: '0', count: '1' };
  const [perRow, perKey] = [Number(heap) / Number(count), Number(key) / Number(count)];
  return {
    name: 'bytes on disk per vote',
    value: perRow + perKey,
    unit: '',
    atMost: 110,
    detail: `row ${Math.round(perRow)}, key ${Math.round(perKey)}`,
  };
}

const memoryFinding = (memoryMb: number[]): Finding => ({
  name: 'memory of one server under full load',
  value: Math.max(...memoryMb),
  unit: 'MB',
  atMost: 250,
  detail: 'resident, at its highest',
});

/**
 * Votes at a steady rate, half of what the same server has just reached over as many connections; measured several
 * times, like the rate.
 */
async function latency(
  arena: Arena,
  { processes, connections }: Setup,
): Promise<{ finding: Finding; memoryMb: number }> {
  const { runSeconds, pairs } = arena.pace;
  const server = await startBenchServer(arena.lifecycle, arena.database.url, processes);
  await ourRun(arena, server, false, connections, WARM_UP_SECONDS);
  const [rates, results]: [number[], OpenLoopResult[]] = [[], []];
  for (let pair = 1; pair <= pairs; pair += 1) {
    await step(
      `Latency ${pair}/${pairs}`,
      async () => {
        const perSecond = (await ourRun(arena, server, false, connections, runSeconds)).perSecond / 2;
        const ballot = await freshBallot(arena, false);
        await openWindows(arena);
        const request = (n: number): string => voteRequest(ballot, n);
        results.push(await sendSteadily({ url: server.url, perSecond, seconds: runSeconds, connections, request }));
        rates.push(perSecond);
      },
      () =>
        `Latency ${pair}/${pairs}: p99 ${results.at(-1)?.p99Ms.toFixed(0)} ms at ${Math.round(rates.at(-1) ?? 0)} votes/s`,
    );
  }
  const memoryMb = await server.peakMemoryMb();
  await server.stop();
  const sum = (field: 'accepted' | 'sent'): number => results.reduce((total, result) => total + result[field], 0);
  const p99Ms = results.map((result) => result.p99Ms);
  const finding: Finding = {
    name: 'p99 at half of the highest rate',
    value: median(p99Ms),
    unit: 'ms',
    atMost: 40,
    aim: 15,
    detail: `${spread(p99Ms)}, p50 ${median(results.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms; ${sum('accepted')} of ${sum('sent')} accepted at ${spread(rates)}/s, sent at a steady rate over ${connections} connections`,
  };
  return { finding, memoryMb };
}

export const PARTS: Record<string, Part> = {
  votes: { title: 'Votes: 200,000 users, everything in memory', work: votes },
  flush: { title: 'Votes on a volume that takes 2 ms longer to flush', work: flush },
  overload: { title: 'Three times the votes that it takes', work: overloaded },
  polls: { title: 'Polls of what has not changed', work: polls },
  lists: { title: 'Public lists of any length', work: lists },
  feed: { title: 'Personal feeds', work: feeds },
  record: { title: 'A day of a million votes is published', work: record },
  readings: { title: 'Balances of a million wallets are read', work: readings },
  big: { title: 'Ten million votes stored', work: big },
  growth: {
    title: 'Reads and jobs while votes grow tenfold',
    isLong: true,
    // The whole server, which the other parts start as a process.
    work: async (options) => (await import('./growth.ts')).growth(options),
  },
};
