import type { Lifecycle } from '../scripts/lib/lifecycle.ts';
import { findDifferences } from './exactness.ts';
import { voteRequest } from './requests.ts';
import { fillPeople, settle } from './data.ts';
import { sendSteadily } from './open-loop.ts';
import { type Finding, median, spread } from './report.ts';
import { startDatabase, startServer } from './stack.ts';
import { type Arena, type Duel, type Pace, duel, freshBallot, openWindows, ratio } from './suite.ts';
import { step } from '../scripts/lib/report.ts';

export interface PartOptions {
  lifecycle: Lifecycle;
  binDir: string;
  pace: Pace;
}

export interface Part {
  title: string;
  work(options: PartOptions): Promise<Finding[]>;
}

const SMALL = { users: 200_000, projects: 1009 };

async function smallArena({ lifecycle, binDir, pace }: PartOptions): Promise<Arena> {
  const database = await step('Database started', () => startDatabase(lifecycle));
  await step(`${SMALL.users.toLocaleString('en')} users`, () =>
    fillPeople(database.client, SMALL.users, SMALL.projects),
  );
  await settle(database.client);
  return { lifecycle, database, binDir, pace, ...SMALL, nextRound: 0 };
}

function duelFinding(name: string, result: Duel, atLeast: number, aim: number): Finding {
  const detail = `HTTP ${spread(result.ours)} ÷ pgbench ${spread(result.reference)} votes/s; ${result.connections} connections, ${result.clients} clients`;
  return { name, value: ratio(result), unit: '×', atLeast, aim, detail };
}

async function exactness(arena: Arena): Promise<Finding> {
  const differences = await step('Exactness checked', () => findDifferences(arena.database.url));
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
  const findings = [
    duelFinding('votes/s, all projects alike', uniform, 2, 3),
    duelFinding('votes/s, three hot projects', hot, 3.5, 5),
    await latency(arena, median(uniform.ours) / 2),
  ];
  return [...findings, await exactness(arena)];
}

async function latency(arena: Arena, perSecond: number): Promise<Finding> {
  const server = await startServer(arena.lifecycle, arena.database.url);
  const seconds = arena.pace.runSeconds;
  const ballot = await freshBallot(arena, false);
  await openWindows(arena);
  await sendSteadily({
    url: server.url,
    perSecond: perSecond / 4,
    seconds: 2,
    connections: 64,
    request: (n) => voteRequest(ballot, n),
  });
  const later = await freshBallot(arena, false);
  const result = await step(`Latency at ${Math.round(perSecond)} votes/s`, () =>
    sendSteadily({ url: server.url, perSecond, seconds, connections: 64, request: (n) => voteRequest(later, n) }),
  );
  const memory = await server.peakMemoryMb();
  await server.stop();
  return {
    name: 'p99 at half of the highest rate',
    value: result.p99Ms,
    unit: 'ms',
    atMost: 40,
    aim: 15,
    detail: `p50 ${result.p50Ms.toFixed(1)} ms, ${result.accepted} of ${result.sent} accepted at ${Math.round(perSecond)}/s, open loop, 64 connections; ${Math.round(memory)} MB`,
  };
}

export const PARTS: Record<string, Part> = {
  votes: { title: 'Votes', work: votes },
};
