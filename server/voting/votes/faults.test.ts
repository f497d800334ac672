import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import { SESSION_COOKIE, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { insertProjects, insertUser } from '#lab/testing/builders.ts';
import { NO_CHAIN, serverSettings } from '#lab/settings.ts';
import { startDatabase, startServer, TestOwner } from '#lab/stack.ts';

const VOTERS = 60;
const PROJECTS = 30;
const KILLS = 20;
/** Twenty starts of a server on a machine that is busy with the other tests. */
const TIMEOUT_MS = 600_000;

const owner = new TestOwner();
afterAll(() => owner.end());
/** A separate durable database, because it is killed here, too. */
const postgres = await startDatabase(owner);
const database: Database = openDatabase(postgres.url, { maxConnections: 4, onError: () => undefined });
await owner.atEnd(() => database.close());
// No vote uses the chain.
const env = {
  ...inheritedEnv(),
  ...serverSettings(postgres.url, NO_CHAIN),
  NODE_ENV: 'development',
  LOG_LEVEL: 'fatal',
  RATE_LIMIT_FACTOR: '1000',
};
const servers = [await startServer(owner, env), await startServer(owner, env)] as const;

interface Voter {
  userId: number;
  cookie: string;
}

async function newVoter(): Promise<Voter> {
  const userId = await insertUser(database.db);
  const token = `kill-test-${userId}`;
  const tokenHash = createHash('sha256').update(token).digest();
  await sql`INSERT INTO sessions (token_hash, user_id, expires_at) VALUES (${tokenHash}, ${userId}, now() + interval '1 day')`.execute(
    database.db,
  );
  return { userId, cookie: `${SESSION_COOKIE}=${token}` };
}

interface Tally {
  /** Confirmed with 200: must be in the database. */
  acknowledged: Set<string>;
  /** 409 after a try with an unknown outcome: counted by that try. */
  countedBefore: Set<string>;
  limited: Set<string>;
  failures: number;
  surprises: string[];
}

/** Casts one vote like a browser: tries again, at any server, until it has the outcome. */
async function insist(voter: Voter, projectId: number, tally: Tally): Promise<void> {
  const name = `${voter.userId}-${projectId}`;
  for (let attempts = 1; ; attempts += 1) {
    const status = await attempt(voter, projectId);
    if (status === 200) return void tally.acknowledged.add(name);
    if (status === 429) return void tally.limited.add(name);
    if (status === 409 && attempts > 1) return void tally.countedBefore.add(name);
    if (status !== null && status !== 503) return void tally.surprises.push(`${name}: ${status} at try ${attempts}`);
    tally.failures += 1;
    // Sixty clients that connect without a pause would keep the server from starting again.
    await sleep(Math.min(attempts, 10) * (20 + randomInt(60)));
  }
}

/** The status, or null when the connection broke. */
async function attempt({ userId, cookie }: Voter, projectId: number): Promise<number | null> {
  const { url } = servers[randomInt(servers.length)] ?? servers[0];
  try {
    const response = await fetch(`${url}/api/votes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ userId, projectId, voteType: projectId % 3 ? 'bullish' : 'bearish' }),
      signal: AbortSignal.timeout(20_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** A vote that was confirmed never counts again, whichever process died in between. */
async function castAgain(voter: Voter, projectId: number, tally: Tally): Promise<void> {
  const status = await attempt(voter, projectId);
  if (status === null || status === 503) tally.failures += 1;
  else if (status !== 409) tally.surprises.push(`${voter.userId}-${projectId}: ${status} when cast again`);
  await sleep(50 + randomInt(150));
}

/** All users vote on everything, more than a window allows, until `trouble` is over and the last vote of each is answered. */
async function voteThrough(trouble: () => Promise<void>): Promise<{ tally: Tally; voters: Voter[] }> {
  const projects = await insertProjects(database.db, PROJECTS);
  const voters = await Promise.all(Array.from({ length: VOTERS }, newVoter));
  const tally: Tally = {
    acknowledged: new Set(),
    countedBefore: new Set(),
    limited: new Set(),
    failures: 0,
    surprises: [],
  };
  const ending = new AbortController();
  const { signal: end } = ending;
  const storm = voters.map(async (voter) => {
    for (const [index, projectId] of projects.entries()) {
      // A few votes of each user are left for the end of the trouble; until then earlier votes are repeated.
      if (index === projects.length - 10)
        while (!end.aborted) await castAgain(voter, projects[randomInt(index)] ?? 0, tally);
      await insist(voter, projectId, tally);
      await sleep(randomInt(120));
    }
  });
  await trouble();
  ending.abort();
  await Promise.all(storm);
  return { tally, voters };
}

async function expectExact({ tally, voters }: Awaited<ReturnType<typeof voteThrough>>): Promise<void> {
  expect(tally.surprises).toEqual([]);
  const ids = voters.map(({ userId }) => userId);
  const { rows } = await sql<{ name: string }>`
    SELECT user_id || '-' || project_id AS name FROM votes WHERE user_id = ANY (${ids})`.execute(database.db);
  const stored = new Set(rows.map(({ name }) => name));
  expect([...tally.acknowledged, ...tally.countedBefore].filter((name) => !stored.has(name))).toEqual([]);
  expect(stored.size).toBe(tally.acknowledged.size + tally.countedBefore.size);
  expect(stored.size).toBe(VOTERS * VOTES_PER_WINDOW);
  expect(tally.limited.size).toBe(VOTERS * (PROJECTS - VOTES_PER_WINDOW));
  expect(await findDifferences(database.db)).toEqual([]);
}

test(
  'twenty SIGKILLs of a server under load: no acknowledged vote is lost, none counts twice [R7 R8 R13]',
  async () => {
    const result = await voteThrough(async () => {
      // Both nearly at once: there are moments without any server.
      for (let kills = 0; kills < KILLS; kills += servers.length) {
        await Promise.all(
          servers.map(async (server) => {
            await sleep(randomInt(200));
            await server.kill();
            await server.start();
          }),
        );
      }
    });
    expect(result.tally.failures).toBeGreaterThan(0);
    await expectExact(result);
  },
  TIMEOUT_MS,
);

test(
  'PostgreSQL cut off and killed under load: clear errors during the outage, everything exact afterwards [R7 R8 R13]',
  async () => {
    const result = await voteThrough(async () => {
      for (let round = 0; round < 3; round += 1) {
        await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'snapswipe' AND pid <> pg_backend_pid()`.execute(
          database.db,
        );
        await sleep(300);
      }
      await postgres.kill();
      await postgres.start();
    });
    expect(result.tally.failures).toBeGreaterThan(0);
    await expectExact(result);
  },
  TIMEOUT_MS,
);
