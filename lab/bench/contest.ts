import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SESSION_COOKIE } from '#shared/constants.ts';
import { run } from '#ops/process/programs.ts';
import { ROOT } from '#ops/process/report.ts';

const GRACE_MS = 60_000;

/** The votes of a run. Every run gets new rounds or users, so that no pair of user and project repeats. */
export interface Ballot {
  firstUser: number;
  users: number;
  round: number;
  rounds: number;
  projects: number;
  /** Id of the first of three projects that get all the votes; 0 spreads them over all. */
  hot: number;
}

export interface Load {
  connections: number;
  seconds: number;
}

export interface HttpResult {
  perSecond: number;
  accepted: number;
  refused: number;
  broken: number;
  p50Ms: number;
  p99Ms: number;
}

async function wrk(url: string, script: string, load: Load, args: (string | number)[]): Promise<HttpResult> {
  const { code, output } = await run(
    'wrk',
    [
      '-t1',
      `-c${load.connections}`,
      `-d${load.seconds}s`,
      '--timeout',
      '10s',
      '-s',
      path.join(ROOT, 'lab/bench', script),
      url,
      '--',
      ...args.map(String),
    ],
    { timeoutMs: load.seconds * 1000 + GRACE_MS },
  );
  const line = output.split('\n').find((text) => text.startsWith('RESULT '));
  if (code !== 0 || line === undefined) throw new Error(`wrk failed: ${output.trim().split('\n').at(-1)}`);
  const result = JSON.parse(line.slice('RESULT '.length)) as {
    requests: number;
    refused: number;
    broken: number;
    seconds: number;
    p50Ms: number;
    p99Ms: number;
  };
  const accepted = result.requests - result.refused;
  return { ...result, accepted, perSecond: accepted / result.seconds };
}

/** Votes over HTTP, each with its user's session cookie; the rate counts accepted votes. */
export function voteOverHttp(url: string, ballot: Ballot, load: Load): Promise<HttpResult> {
  const { firstUser, users, round, rounds, projects, hot } = ballot;
  return wrk(url, 'votes.lua', load, [firstUser, users, round, rounds, projects, hot, SESSION_COOKIE]);
}

/** GETs of the prepared requests in turn. 304 counts as a response. */
export async function readOverHttp(url: string, requests: string[], load: Load): Promise<HttpResult> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-bench-'));
  try {
    const file = path.join(folder, 'requests.lua');
    await writeFile(file, `return {${requests.map((request) => JSON.stringify(request)).join(',\n')}}`);
    return await wrk(url, 'reads.lua', load, [file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface PgbenchTarget {
  binDir: string;
  url: string;
}

/** Votes by pgbench, one call of reference.cast_vote each, users and projects at random; calls per second. */
export async function voteByPgbench(
  { binDir, url }: PgbenchTarget,
  ballot: Pick<Ballot, 'firstUser' | 'users' | 'projects' | 'hot'>,
  { connections, seconds }: Load,
): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-bench-'));
  try {
    const file = path.join(folder, 'vote.sql');
    const { firstUser, users, projects, hot } = ballot;
    const lines = [
      `\\set user random(${firstUser}, ${firstUser + users - 1})`,
      hot > 0 ? `\\set project random(${hot}, ${hot + 2})` : `\\set project random(1, ${projects})`,
      `SELECT reference.cast_vote(sha256(convert_to('bench-' || :user, 'UTF8')), :user, :project, :user % 3 > 0);`,
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const threads = Math.min(2, connections);
    const { code, output } = await run(
      path.join(binDir, 'pgbench'),
      [
        '-n',
        '--max-tries=5',
        '-M',
        'prepared',
        '-c',
        String(connections),
        '-j',
        String(threads),
        '-T',
        String(seconds),
        '-f',
        file,
        url,
      ],
      { timeoutMs: seconds * 1000 + GRACE_MS },
    );
    const perSecond = /tps = ([\d.]+)/.exec(output)?.[1];
    if (code !== 0 || perSecond === undefined) throw new Error(`pgbench failed: ${output.trim().split('\n').at(-1)}`);
    return Number(perSecond);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
