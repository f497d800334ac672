import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import type { RecordSummary } from '#shared/contract/record.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { BELIEVED } from '#record/verify/believed.ts';
import { checkOwnRecord } from '#record/proof/own-record.ts';
import { createTestDatabase, startServer } from '#lab/testing/app.ts';
import { behindTheTriggers, insertProject, insertUser, setProject } from '#lab/testing/builders.ts';
import { balanceMist, fund, sharedChain } from '#lab/testing/chain.ts';
import { newUser } from '#lab/testing/client.ts';
import { logKey, verifyAsStranger } from '#lab/testing/record.ts';
import { storeProof } from '#server/listings/ownership/store.ts';
import { checkInvariants } from '#server/money/ledger/recount.ts';
import { anchorCheckpoints } from './anchor.ts';
import { digestVotes } from './digests.ts';
import { closeUpTo } from '#lab/testing/close.ts';
import { installShiftedClock, shiftClock } from '#lab/testing/shifted-clock.ts';

const COIN = `0x${'0b'.repeat(32)}::coin::COIN`;
const anchorWallet = new Ed25519Keypair();
await fund(sharedChain(), anchorWallet.toSuiAddress());
const env = { LOG_PRIVATE_KEY: logKey(), ANCHOR_PRIVATE_KEY: anchorWallet.getSecretKey() };

// A site that began two days ago: its days are over when a stranger looks.
const database = await createTestDatabase();
afterAll(() => database.drop());
const setUp = await startServer(database.url, { env });
const url = await installShiftedClock(setUp.services.db, database.url);
await setUp.close();
const server = await startServer(url, { env });
afterAll(() => server.close());
const { services } = server;
const { db } = services;
const DAY_MS = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const setDay = (daysAgo: number) => shiftClock(db, Date.parse(dayAgo(daysAgo)) + DAY_MS / 2 - Date.now());

const voters = [await newUser(server), await newUser(server), await newUser(server)] as const;
await setDay(2);
const projects: number[] = [];
for (let n = 0; n < 4; n += 1) projects.push(await insertProject(db, n === 0 ? { name: 'Quiet Frog' } : {}));
// The defaults of the table read the real clock.
await sql`UPDATE projects p SET created_at = v.created_at, period_starts = ARRAY[v.created_at] FROM listing_versions v WHERE v.project_id = p.id`.execute(
  db,
);
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
  sql`UPDATE projects SET period_starts = ARRAY[created_at, clock_timestamp()] WHERE id = ${projectId}`.execute(db);
const voteAgain = (projectId: number) =>
  voters[1].post('/api/votes', { userId: voters[1].id, projectId, voteType: 'bullish' });

// Two batches, and votes since; some again in a later listing period.
await vote(projects.slice(0, 2));
await setDay(1);
await closeUpTo(services, dayAgo(2));
await vote(projects.slice(2, 3));
// Votes of before and after a new name, and a version of which only the hash is left.
await sql`UPDATE projects SET name = 'Loud Frog' WHERE id = ${first}`.execute(db);
await sql`UPDATE projects SET category = 'Meme' WHERE id = ${second}`.execute(db);
await sql`UPDATE listing_versions SET blanked_at = now(), salt = NULL, name = NULL, image_hash = NULL, twitter_handle = NULL,
  website = NULL, category = NULL, description = NULL WHERE project_id = ${second} AND number = 1`.execute(db);
// A proof of ownership.
await setProject(db, second, { coinType: COIN, coinSource: 'moderator' });
const control = {
  objectType: `0x2::coin::TreasuryCap<${COIN}>`,
  objectId: `0x${'0c'.repeat(32)}`,
  objectVersion: '42',
};
const proof = {
  state: 'proven',
  subject: COIN,
  wallet: voters[0].address,
  control,
  checkpoint: '1000',
  reason: null,
} as const;
await db.transaction().execute((trx) => storeProof(trx, { projectId: second, ...proof }));
for (const projectId of projects.slice(1, 3)) await beginPeriod(projectId);
for (const projectId of projects.slice(1, 3)) await voteAgain(projectId);
await shiftClock(db, 0);
await closeUpTo(services, dayAgo(1));
await anchorCheckpoints(services);
await vote(projects.slice(3));

interface Found extends Pick<Awaited<ReturnType<typeof verifyAsStranger>>, 'routes'> {
  failed: string[];
  text: string;
}

async function verify(): Promise<Found> {
  const { checks, failed, routes } = await verifyAsStranger(url, env);
  return {
    routes,
    failed: failed.map(({ name }) => name),
    text: checks.map(({ detail, differences }) => [detail, ...differences].join('\n')).join('\n'),
  };
}

/** Pages without figures, and addresses of files that every browser reads. */
const WITHOUT_FIGURES = /^\/(?:healthz|readyz|robots\.txt|privacy|terms|trust\/|mcp)/;

test('everything that a site shows follows from its record: each public address is read by a stranger or named as believed [R43 R62]', async () => {
  const { failed, text, routes } = await verify();
  expect(text).toContain('3 votes newer than the record');
  expect(text).toContain('2 of 2 roots found on Sui');
  expect(text).toContain('6 versions of listings are as recorded, of 1 of which only the hash is left');
  expect(failed).toEqual([]);
  const closed = allEndpoints().filter(([, { access }]) => access !== 'public');
  const isClosed = new Set(closed.map(([, one]) => `${one.method} ${one.path.replaceAll(/\{(\w+)\}/g, ':$1')}`));
  const unread = routes.flatMap(({ method, route, statuses }) =>
    statuses.size > 0 || !method.startsWith('GET') || isClosed.has(`GET ${route}`) || WITHOUT_FIGURES.test(route)
      ? []
      : route,
  );
  expect(unread.toSorted()).toEqual(BELIEVED.flatMap(({ routes: believed = [] }) => believed).toSorted());
});

/** Counts every vote and balance again, as the next publication and the next recount do within a day. */
async function countAgain(): Promise<void> {
  await db.deleteFrom('recordDigests').execute();
  await digestVotes(services);
  await checkInvariants(services);
}

/** Plants a change that triggers would reject, and removes it again. */
async function plant(change: (trx: Db) => Promise<unknown>, undo: (trx: Db) => Promise<unknown>): Promise<void> {
  await behindTheTriggers(db, change, { reopens: false });
  onTestFinished(async () => {
    await behindTheTriggers(db, undo, { reopens: false });
    await countAgain();
  });
}
const run = (statement: string) => (trx: Db) => sql.raw(statement).execute(trx);
const own = `user_id = ${voters[1].id} AND project_id = ${first}`;
const guest = await insertUser(db);

test.each<[what: string, change: string, undo: string, failed: string[], difference: RegExp]>([
  [
    'a vote turned around',
    `UPDATE votes SET bullish = NOT bullish WHERE ${own}`,
    `UPDATE votes SET bullish = NOT bullish WHERE ${own}`,
    ['Database', 'Site'],
    new RegExp(`project ${first} in period 1: recorded votes bullish 1, bearish 2`),
  ],
  [
    'a vote dated back',
    `INSERT INTO votes (user_id, project_id, bullish, created_at) VALUES (${guest}, ${second}, true, now() - interval '1 day')`,
    `DELETE FROM votes WHERE user_id = ${guest}`,
    ['Database', 'Site', 'Supply'],
    new RegExp(`project ${second} in period 1: recorded votes bullish \\d+.*, by the record`),
  ],
  [
    'a counter',
    `UPDATE project_stats SET bullish = bullish + 1 WHERE project_id = ${second}`,
    `UPDATE project_stats SET bullish = bullish - 1 WHERE project_id = ${second}`,
    ['Site', 'Copies'],
    new RegExp(`project ${second} on the leaderboard: votes bullish 3, by the record bullish 2`),
  ],
  [
    'verified votes of a day that is closed',
    `INSERT INTO verified_stats VALUES (${second}, 2, 0)`,
    `DELETE FROM verified_stats WHERE project_id = ${second}`,
    ['Site', 'Copies'],
    new RegExp(`project ${second} on the leaderboard: verified votes bullish 2, by the record bullish 0`),
  ],
  [
    'votes of the last 30 days, while votes on another project are newer',
    `UPDATE project_days SET now_bullish = 23 WHERE project_id = ${second}`,
    `UPDATE project_days SET now_bullish = bullish WHERE project_id = ${second}`,
    ['Now', 'Day files', 'Copies'],
    new RegExp(
      `project ${second} on the leaderboard: votes of the last 30 days bullish 23, bearish 1, by the record none`,
    ),
  ],
  [
    'an earlier name of a listing',
    `UPDATE listing_versions SET name = 'Never' WHERE project_id = ${first} AND number = 1`,
    `UPDATE listing_versions v SET name = 'Quiet Frog' WHERE project_id = ${first} AND number = 1`,
    ['Versions'],
    new RegExp(`version 1 of project ${first}: version isSealed false`),
  ],
  [
    'the date of a version',
    `UPDATE listing_versions SET created_at = created_at + interval '1 day' WHERE project_id = ${first} AND number = 1`,
    `UPDATE listing_versions SET created_at = created_at - interval '1 day' WHERE project_id = ${first} AND number = 1`,
    ['Versions'],
    new RegExp(`version 1 of project ${first}: version createdAt .*, by the record createdAt .* or earlier`),
  ],
  [
    'the mentioned name of before',
    `UPDATE identity_changes SET old_name = 'Never' WHERE project_id = ${first}`,
    `UPDATE identity_changes SET old_name = 'Quiet Frog' WHERE project_id = ${first}`,
    ['Versions'],
    new RegExp(
      `project ${first} on the leaderboard: since its change of identity changed name Never, by the record changed name Quiet Frog`,
    ),
  ],
  [
    'the wallet of a proof',
    `UPDATE ownerships SET wallet = '0x${'0d'.repeat(32)}' WHERE project_id = ${second}`,
    `UPDATE ownerships SET wallet = '${voters[0].address}' WHERE project_id = ${second}`,
    ['Ownership'],
    new RegExp(`project ${second}: proof isSealed false`),
  ],
  [
    'a trend',
    `INSERT INTO project_trends VALUES (${second}, 500, 0, 3500)`,
    `DELETE FROM project_trends WHERE project_id = ${second}`,
    ['Trending'],
    new RegExp(`project ${second} in the list by 'bullish': votes of the last 7 days bullish 500, `),
  ],
  [
    'a row of a day',
    `UPDATE project_days SET bullish = bullish + 5 WHERE project_id = ${second}`,
    `UPDATE project_days SET bullish = bullish - 5 WHERE project_id = ${second}`,
    ['Day files', 'Trends'],
    new RegExp(`project ${second}: figures bullish 7, `),
  ],
  [
    'a balance',
    `UPDATE user_stats SET balance = balance + 5 WHERE user_id = ${voters[0].id}`,
    `UPDATE user_stats SET balance = balance - 5 WHERE user_id = ${voters[0].id}`,
    ['Supply'],
    /Snaps .*differing 1/,
  ],
])(
  'verify finds and names a manual change of the database: %s [R43]',
  async (_what, change, undo, failed, difference) => {
    await plant(run(change), run(undo));
    if (/ (votes|user_stats) /.test(change)) await countAgain();
    const found = await verify();
    expect(found.text).toMatch(difference);
    expect(found.failed).toEqual(failed);
  },
);

test('verify finds two reversed votes that leave the sums unchanged by the next digest [R62 R63]', async () => {
  const turn = run(
    `UPDATE votes SET bullish = NOT bullish WHERE project_id = ${first} AND user_id IN (${voters[0].id}, ${voters[1].id})`,
  );
  await plant(turn, turn);
  await countAgain();
  const { failed, text } = await verify();
  expect(failed).toEqual(['Database']);
  expect(text).toContain(`project ${first} in period 1: recorded votes digest`);
});

test("a voter's browser finds votes, payouts and anchors, and the proof of a vote holds without the site [R41 R42]", async () => {
  const [voter] = voters;
  const [{ body: summary }, { body: votes }, { body: secret }] = await Promise.all([
    voter.get<RecordSummary>('/api/record'),
    voter.get<VoteHistoryItem[]>(`/api/users/${voter.id}/votes`),
    voter.get<{ secret: string }>('/api/record/secret'),
  ]);
  const verifierKey = summary.verifierKey ?? '';
  const found = await checkOwnRecord({
    baseUrl: `${server.url}/log/`,
    verifierKey,
    secret: secret.secret,
    votes: votes.map(({ project, period, opinions }) => ({
      projectId: project.id,
      period,
      opinions: opinions.map(({ voteType, saidAt, identity }) => {
        return { bullish: voteType === 'bullish', atMs: Date.parse(saidAt), identity };
      }),
    })),
    untilMs: Date.parse(summary.checkpoints[0]?.until ?? ''),
    nowMs: Date.now(),
    witnesses: [],
    seenNote: summary.checkpoints.at(-1)?.note ?? null,
  });
  const kinds = Object.fromEntries(votes.map(({ project }, at) => [project.id, found.votes[at]?.kind]));
  const [a = 0, b = 0, c = 0, d = 0] = projects;
  expect(kinds).toEqual({ [a]: 'recorded', [b]: 'recorded', [c]: 'recorded', [d]: 'waiting' });
  expect(found.payouts).toEqual({ books: [], byHand: [] });
  for (const { address } of found.anchors) expect(await balanceMist(sharedChain(), address)).toBe(1n);

  const proof = found.votes.flatMap((vote) => (vote.kind === 'recorded' ? vote.proofFile : []))[0] ?? '';
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-proof-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const call = async (text: string) => {
    const file = path.join(folder, 'proof');
    await writeFile(file, text);
    const args = ['scripts/verify.ts', '--proof', file, '--key', verifierKey];
    return promisify(execFile)(process.execPath, args).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    );
  };
  expect(await call(proof)).toMatch(/^✓ Entry \d+ of the \d+ entries of \S+\n {2}vote \S+ \d+ 1 bearish /);
  expect(await call(proof.replace(/index \d+/, 'index 0'))).toMatch(/^✗ The proof does not hold: The entry is not/);
});
