import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { step } from '#ops/process/report.ts';
import { type Ballot, type HttpResult, voteByPgbench, voteOverHttp } from './contest.ts';
import { addProjects } from './data.ts';
import { median } from './report.ts';
import type { LabServer } from '../stack.ts';
import { type BenchDatabase, startBenchServer } from './stack.ts';

/** Duration and number of measurements. */
export interface Pace {
  sweepSeconds: number;
  runSeconds: number;
  pairs: number;
  sustainedSeconds: number;
}

/** Input of a part of the bench. */
export interface PartOptions {
  lifecycle: Lifecycle;
  binDir: string;
  pace: Pace;
  /** Smaller data too, to try the bench itself. */
  quick: boolean;
  /** The numbers of votes between which growth is measured. */
  votes?: number[] | undefined;
}

export const FULL: Pace = { sweepSeconds: 3, runSeconds: 8, pairs: 3, sustainedSeconds: 120 };
export const QUICK: Pace = { sweepSeconds: 1, runSeconds: 3, pairs: 2, sustainedSeconds: 15 };

const PGBENCH_CLIENTS = [1, 4, 8, 16, 32, 64];
/** The settings among which the best way to run the server is searched. */
const SETUPS: Setup[] = [1, 2].flatMap((processes) =>
  [128, 256, 512].map((connections) => ({ processes, connections })),
);

/** More votes than any user casts in two minutes. */
const VOTES_PER_BALLOT = 3_000_000;

export interface Arena {
  lifecycle: Lifecycle;
  database: BenchDatabase;
  binDir: string;
  pace: Pace;
  users: number;
  projects: number;
  /** The first round of votes that no user has cast yet. */
  nextRound: number;
}

/** Number of server processes and of connections. */
export interface Setup {
  processes: number;
  connections: number;
}

export interface Duel {
  reference: number[];
  ours: number[];
  /** Best number of pgbench clients. */
  clients: number;
  /** Best of ours. */
  setup: Setup;
  memoryMb: number[];
}

/** Lets all users vote again, as after six hours; the triggers are disabled. */
export async function openWindows({ database, users }: Arena): Promise<void> {
  await database.client.query(`SET session_replication_role = 'replica'`);
  for (const schema of ['public', 'reference']) {
    await database.client.query(
      `UPDATE ${schema}.user_stats SET window_votes = 0, window_started_at = NULL WHERE window_votes > 0 AND user_id <= $1`,
      [users],
    );
    await database.client.query(`VACUUM ${schema}.user_stats`);
  }
  await database.client.query(`SET session_replication_role = 'origin'`);
}

/** New votes: each of a new round, or on three new projects. */
export async function freshBallot(arena: Arena, hot: boolean): Promise<Ballot> {
  const { users, projects } = arena;
  if (hot)
    return { firstUser: 1, users, round: 0, rounds: 3, projects, hot: await addProjects(arena.database.client, 3) };
  const round = arena.nextRound;
  const rounds = Math.ceil(VOTES_PER_BALLOT / users);
  arena.nextRound += rounds;
  if (arena.nextRound > projects) throw new Error('The bench has run out of votes to cast: give it more projects.');
  return { firstUser: 1, users, round, rounds, projects, hot: 0 };
}

async function best<T>(candidates: T[], rate: (candidate: T) => Promise<number>): Promise<T> {
  const rates: number[] = [];
  for (const candidate of candidates) rates.push(await rate(candidate));
  return candidates[rates.indexOf(Math.max(...rates))] as T;
}

async function referenceRun(arena: Arena, hot: boolean, connections: number, seconds: number): Promise<number> {
  const ballot = await freshBallot(arena, hot);
  await openWindows(arena);
  return voteByPgbench({ binDir: arena.binDir, url: arena.database.url }, ballot, { connections, seconds });
}

/** One run of ours; throws when votes were refused. */
export async function ourRun(
  arena: Arena,
  server: LabServer,
  hot: boolean,
  connections: number,
  seconds: number,
): Promise<HttpResult> {
  const ballot = await freshBallot(arena, hot);
  await openWindows(arena);
  const result = await voteOverHttp(server.url, ballot, { connections, seconds });
  if (result.broken > 0 || result.refused > result.accepted / 100) {
    throw new Error(
      `Votes were refused (${result.refused}) or broke off (${result.broken}): the figures would mean nothing.`,
    );
  }
  return result;
}

/** Both sides at their best, in turn: A B A B. */
export async function duel(
  arena: Arena,
  title: string,
  hot: boolean,
  options: { seconds?: number; pairs?: number } = {},
): Promise<Duel> {
  const { sweepSeconds, runSeconds, pairs: usualPairs } = arena.pace;
  const seconds = options.seconds ?? runSeconds;
  const pairs = options.pairs ?? usualPairs;
  const servers = new Map<number, LabServer>();
  for (const { processes } of SETUPS) {
    if (servers.has(processes)) continue;
    servers.set(processes, await startBenchServer(arena.lifecycle, arena.database.url, processes));
  }
  const serverOf = ({ processes }: Setup): LabServer => servers.get(processes) as LabServer;
  const clients = await step(
    `${title}: best number of pgbench clients`,
    () => best(PGBENCH_CLIENTS, (count) => referenceRun(arena, hot, count, sweepSeconds)),
    (count) => `${title}: pgbench is best with ${count} clients`,
  );
  for (const server of servers.values()) await ourRun(arena, server, hot, 128, sweepSeconds);
  const setup = await step(
    `${title}: best number of processes and HTTP connections`,
    () =>
      best(SETUPS, async (one) => (await ourRun(arena, serverOf(one), hot, one.connections, sweepSeconds)).perSecond),
    ({ processes, connections }) => `${title}: HTTP is best with ${processes} × process, ${connections} connections`,
  );
  const server = serverOf(setup);
  for (const other of servers.values()) if (other !== server) await other.stop();
  const [reference, ours]: [number[], number[]] = [[], []];
  for (let pair = 1; pair <= pairs; pair += 1) {
    await step(
      `${title} ${pair}/${pairs}`,
      async () => {
        reference.push(await referenceRun(arena, hot, clients, seconds));
        ours.push((await ourRun(arena, server, hot, setup.connections, seconds)).perSecond);
      },
      () =>
        `${title} ${pair}/${pairs}: pgbench ${Math.round(reference.at(-1) ?? 0)}/s, HTTP ${Math.round(ours.at(-1) ?? 0)}/s`,
    );
  }
  const memoryMb = [await server.peakMemoryMb()];
  await server.stop();
  return { reference, ours, clients, setup, memoryMb };
}

export const ratio = ({ ours, reference }: Duel): number => median(ours) / median(reference);
