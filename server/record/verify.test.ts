import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { sql } from 'kysely';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Db } from '#db/client.ts';
import type { OwnLiability, RecordSummary } from '#shared/contract/record.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { createSigner, formatVerifier } from '#record/log/note.ts';
import { checkOwnRecord, type OwnRecordTask } from '#record/proof/own-record.ts';
import { isGood } from '#record/verify/report.ts';
import { type VerifyOptions, verifySite } from '#record/verify/verify.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { behindTheTriggers, insertProject, insertUser } from '#lab/testing/builders.ts';
import { balanceMist, fund, sharedChain, startChain } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { countAll, logKey, publishAll } from '#lab/testing/record.ts';
import { makeDrawnPage } from '#lab/testing/built-page.ts';
import { checkInvariants } from '#server/money/ledger/recount.ts';
import { countDays } from '#server/figures/trends/count-days.ts';
import { anchorCheckpoints } from './anchor.ts';
import { digestVotes } from './digests.ts';

const anchorWallet = new Ed25519Keypair();
await fund(sharedChain(), anchorWallet.toSuiAddress());
const env = { LOG_PRIVATE_KEY: logKey(), ANCHOR_PRIVATE_KEY: anchorWallet.getSecretKey() };
const distDir = await makeDrawnPage();
afterAll(() => rm(distDir, { recursive: true }));

const server = await createTestApp({ env, distDir });
const { services } = server;
const { db } = services;

const voters = [await newUser(server), await newUser(server), await newUser(server)] as const;
const projects: number[] = [];
for (let n = 0; n < 4; n += 1) projects.push(await insertProject(db, n === 0 ? { name: 'Quiet Frog' } : {}));
const [first = 0, second = 0] = projects;

async function vote(on: readonly number[]): Promise<void> {
  for (const [n, voter] of voters.entries()) {
    for (const projectId of on) {
      const voteType = n === 0 ? 'bearish' : 'bullish';
      expect((await voter.post('/api/votes', { userId: voter.id, projectId, voteType })).status).toBe(200);
    }
  }
}

const beginPeriod = (projectId: number) =>
  sql`UPDATE projects SET period_starts = period_starts || clock_timestamp() WHERE id = ${projectId}`.execute(db);
const voteAgain = (projectId: number) =>
  voters[1].post('/api/votes', { userId: voters[1].id, projectId, voteType: 'bullish' });

// Two batches, and votes since; some again in a later listing period.
await vote(projects.slice(0, 2));
await publishAll(services);
await vote(projects.slice(2, 3));
// Votes of before and after a new name, and a version of which only the hash is left.
await sql`UPDATE projects SET name = 'Loud Frog' WHERE id = ${first}`.execute(db);
await sql`UPDATE projects SET category = 'Meme' WHERE id = ${second}`.execute(db);
await sql`UPDATE listing_versions SET blanked_at = now(), salt = NULL, name = NULL, image_hash = NULL, twitter_handle = NULL,
  website = NULL, category = NULL, description = NULL WHERE project_id = ${second} AND number = 1`.execute(db);
for (const projectId of projects.slice(1, 3)) await beginPeriod(projectId);
for (const projectId of projects.slice(1, 3)) await voteAgain(projectId);
await publishAll(services);
await anchorCheckpoints(services);
await digestVotes(services);
await vote(projects.slice(3));
await countDays(services);
await countAll(services);

interface Found {
  failed: string[];
  text: string;
}

/** The view of a stranger on a server that has just started: it has cached nothing. */
async function verify(options: Partial<VerifyOptions> = {}): Promise<Found> {
  const fresh = await startServer(server.databaseUrl, { env, distDir });
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 300));
  try {
    const { checks } = await verifySite({ origin: fresh.url, wait, ...options });
    return {
      failed: checks.filter((check) => !isGood([check])).map(({ name }) => name),
      text: checks.map(({ detail, differences }) => [detail, ...differences].join('\n')).join('\n'),
    };
  } finally {
    await fresh.close();
  }
}

test('everything that a site shows follows from its record, and a stranger can verify it [R43]', async () => {
  const { failed, text } = await verify();
  expect(text).toContain('3 votes newer than the record');
  expect(text).toContain('2 of 2 roots found on Sui');
  expect(text).toContain('6 versions of listings are as recorded, of 1 of which only the hash is left');
  expect(failed).toEqual([]);
});

test('a project that a moderator has hidden is named, and is not a difference [R33 R43]', async () => {
  const mark = (change: string) => sql.raw(`UPDATE projects SET ${change} WHERE id = ${second}`).execute(db);
  await mark(`hidden_at = now(), hidden_reason = 'Spam'`);
  onTestFinished(async () => void (await mark('hidden_at = NULL, hidden_reason = NULL')));
  const { failed, text } = await verify();
  expect(text).toContain(
    '3 projects on leaderboard, lists, pages and drawn pages; 3 votes newer than the record; 1 project not shown',
  );
  expect(failed).toEqual([]);
});

/** Counts every vote and balance again, as the next publication and the next recount do within a day. */
async function countAgain(): Promise<void> {
  await db.deleteFrom('recordDigests').execute();
  await digestVotes(services);
  await checkInvariants(services);
}

/** Plants a change that triggers would reject, and removes it again. */
async function plant(change: (trx: Db) => Promise<unknown>, undo: (trx: Db) => Promise<unknown>): Promise<void> {
  await behindTheTriggers(db, change);
  onTestFinished(async () => {
    await behindTheTriggers(db, undo);
    await countAgain();
  });
}
const run = (statement: string) => (trx: Db) => sql.raw(statement).execute(trx);
const own = `user_id = ${voters[1].id} AND project_id = ${first}`;
const guest = await insertUser(db);

describe('manual changes of the database', () => {
  test.each<[what: string, change: string, undo: string, failed: string[], difference: RegExp]>([
    [
      'a vote turned around',
      `UPDATE votes SET bullish = NOT bullish WHERE ${own}`,
      `UPDATE votes SET bullish = NOT bullish WHERE ${own}`,
      ['Database', 'Site'],
      new RegExp(`project ${first}: the server holds 1 bullish and 2 bearish, the record 2 bullish and 1 bearish`),
    ],
    [
      'a vote taken away',
      `CREATE TABLE kept AS SELECT * FROM votes WHERE ${own}; DELETE FROM votes WHERE ${own}`,
      'INSERT INTO votes SELECT * FROM kept; DROP TABLE kept',
      ['Database', 'Site', 'Supply'],
      new RegExp(`project ${first}: the server holds 1 bullish and 1 bearish`),
    ],
    [
      'a vote dated back',
      `INSERT INTO votes (user_id, project_id, bullish, tokens, created_at) VALUES (${guest}, ${second}, true, 10, now() - interval '1 day')`,
      `DELETE FROM votes WHERE user_id = ${guest}`,
      ['Database', 'Site', 'Trust', 'Supply'],
      new RegExp(`project ${second}: the server holds 2 bullish and 1 bearish`),
    ],
    [
      'a counter',
      `UPDATE project_stats SET bullish = bullish + 1 WHERE project_id = ${second}`,
      `UPDATE project_stats SET bullish = bullish - 1 WHERE project_id = ${second}`,
      ['Site'],
      new RegExp(`project ${second}: the leaderboard shows 3 bullish and 1 bearish, its votes are 2 bullish`),
    ],
    [
      'a verified counter',
      `INSERT INTO verified_stats (project_id, period, bullish, bearish) VALUES (${second}, 1, 9, 0)`,
      `DELETE FROM verified_stats WHERE project_id = ${second}`,
      ['Orders'],
      new RegExp(`project ${second} has more verified votes than votes`),
    ],
    [
      'an earlier name of a listing',
      `UPDATE listing_versions SET name = 'Never' WHERE project_id = ${first} AND number = 1`,
      `UPDATE listing_versions v SET name = 'Quiet Frog' WHERE project_id = ${first} AND number = 1`,
      ['Versions'],
      new RegExp(`version 1 of project ${first} shows other content than was recorded`),
    ],
    [
      'a balance',
      `UPDATE user_stats SET balance = balance + 5 WHERE user_id = ${voters[0].id}`,
      `UPDATE user_stats SET balance = balance - 5 WHERE user_id = ${voters[0].id}`,
      ['Supply'],
      /1 voter with another balance/,
    ],
    [
      'a checkpoint taken away',
      'CREATE TABLE kept AS SELECT * FROM log_checkpoints ORDER BY size LIMIT 1; DELETE FROM log_checkpoints WHERE size = (SELECT size FROM kept)',
      'INSERT INTO log_checkpoints SELECT * FROM kept; DROP TABLE kept',
      ['History'],
      /the checkpoint of \d+ entries is missing/,
    ],
  ])('the verifier finds and names %s [R43]', async (_what, change, undo, failed, difference) => {
    await plant(run(change), run(undo));
    if (/ (votes|user_stats) /.test(change)) await countAgain();
    const found = await verify();
    expect(found.text).toMatch(difference);
    expect(found.failed).toEqual(failed);
  });

  /** Exchanges the stored bytes of a file of the log. */
  async function forge(like: string, change: (bytes: Buffer) => Buffer): Promise<string> {
    const files = db.selectFrom('logFiles').selectAll().where('path', 'like', like).orderBy('path', 'desc');
    const { path, bytes } = await files.limit(1).executeTakeFirstOrThrow();
    const store = (next: Buffer) => (trx: Db) =>
      trx.updateTable('logFiles').set({ bytes: next }).where('path', '=', path).execute();
    await plant(store(change(Buffer.from(bytes))), store(bytes));
    return path;
  }

  test('a vote in a bundle [R43]', async () => {
    await forge('tile/entries/%', (bytes) => {
      const text = gunzipSync(bytes).toString('latin1').replace(' bearish ', ' bullish ');
      return gzipSync(Buffer.from(text, 'latin1'));
    });
    const { failed, text } = await verify();
    expect(failed).toEqual(['Tree', 'Files', 'History', 'Counters', 'Anchors', 'Database']);
    expect(text).toMatch(/The entries have the root/);
  });
});

test('the digest of the next publication reveals two reversed votes that leave the sums unchanged [R62 R63]', async () => {
  const turn = run(
    `UPDATE votes SET bullish = NOT bullish WHERE project_id = ${first} AND user_id IN (${voters[0].id}, ${voters[1].id})`,
  );
  const digestAgain = async () => {
    await db.deleteFrom('recordDigests').execute();
    await digestVotes(services);
  };
  onTestFinished(digestAgain);
  await plant(turn, turn);
  await digestAgain();
  const { failed, text } = await verify();
  expect(failed).toEqual(['Database']);
  expect(text).toContain(`project ${first}: the server holds other votes than the record, though as many`);
});

describe('anchors', () => {
  test('the verifier names anchors that a node does not show, while the server claims that they are on chain [R41 R43]', async () => {
    const other = await startChain();
    onTestFinished(() => other.stop());
    const { failed, text } = await verify({ rpcUrl: other.rpcUrl });
    expect(failed).toEqual(['Anchors']);
    expect(text).toMatch(/0x[0-9a-f]{64} is not on Sui/);
  });
});

test('the verifier detects a different key than the known one [R43]', async () => {
  const verifierKey = formatVerifier(createSigner('snapswipe.test/log', new Uint8Array(32).fill(1)));
  await expect(verify({ verifierKey })).rejects.toThrow('The newest checkpoint: No known key has signed the note');
});

/** Results of a voter's browser. */
async function check(voter: TestUser, changes: Partial<OwnRecordTask> = {}) {
  const [{ body: summary }, { body: votes }, { body: secret }, { body: own }] = await Promise.all([
    voter.get<RecordSummary>('/api/record'),
    voter.get<VoteHistoryItem[]>(`/api/users/${voter.id}/votes`),
    voter.get<{ secret: string }>('/api/record/secret'),
    voter.get<{ liability: OwnLiability | null }>('/api/record/liabilities'),
  ]);
  const verifierKey = summary.verifierKey ?? '';
  const result = await checkOwnRecord({
    baseUrl: `${server.url}/log/`,
    verifierKey,
    secret: secret.secret,
    votes: votes.map(({ project, period, voteType, createdAt, saidAt }) => {
      const times = { createdAtMs: Date.parse(createdAt), saidAtMs: Date.parse(saidAt) };
      return { projectId: project.id, period, bullish: voteType === 'bullish', ...times };
    }),
    untilMs: Date.parse(summary.checkpoints[0]?.until ?? ''),
    nowMs: Date.now(),
    liability: own.liability,
    ledger: { events: [], fromMs: 0, toMs: 0 },
    witnesses: [],
    seenNote: summary.checkpoints.at(-1)?.note ?? null,
    ...changes,
  });
  const kinds = Object.fromEntries(votes.map(({ project }, at) => [project.id, result.votes[at]?.kind]));
  return { ...result, kinds, verifierKey };
}

describe('a voter who checks their own votes', () => {
  const [voter] = voters;

  test('a voter finds their votes, their balance, and the root on chain [R41 R42]', async () => {
    const { kinds, balance, anchors } = await check(voter);
    const [a = 0, b = 0, c = 0, d = 0] = projects;
    expect(kinds).toEqual({ [a]: 'recorded', [b]: 'recorded', [c]: 'recorded', [d]: 'waiting' });
    expect(balance).toMatchObject({ balance: 30, total: 110, accounts: 3 });
    for (const { address } of anchors) expect(await balanceMist(sharedChain(), address)).toBe(1n);
  });
});

describe('npm run verify', () => {
  const call = async (...args: string[]): Promise<{ code: number; said: string }> => {
    const child = promisify(execFile)(process.execPath, ['scripts/verify.ts', ...args], {
      env: { ...process.env, XDG_STATE_HOME: distDir },
    });
    return child.then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
    );
  };

  test('checks a downloaded proof with the key alone, and rejects a changed one [R42 R43]', async () => {
    const { votes, verifierKey } = await check(voters[0]);
    const proof = votes.flatMap((vote) => (vote.kind === 'recorded' ? vote.proofFile : []))[0] ?? '';
    const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-proof-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [good, bad] = [path.join(folder, 'good'), path.join(folder, 'bad')];
    await writeFile(good, proof);
    await writeFile(bad, proof.replace(/index \d+/, 'index 0'));
    const found = await Promise.all([good, bad].map((file) => call('--proof', file, '--key', verifierKey)));
    expect(found.map(({ code }) => code)).toEqual([0, 1]);
    expect(found[0]?.said).toMatch(/^✓ Entry \d+ of the \d+ entries of \S+\n {2}vote \S+ \d+ 1 bearish /);
    expect(found[1]?.said).toMatch(/^✗ The proof does not hold: The entry is not in the log/);
  });
});
