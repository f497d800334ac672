import { createHash } from 'node:crypto';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { batchAt, compareKeys, readBatches } from '#record/entries/batches.ts';
import { digestText, opinionDigest } from '#record/entries/digest.ts';
import type { RecordEntry } from '#record/entries/entries.ts';
import { post } from '#server/books/ledger.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp, startServer, testConfig } from '#lab/testing/app.ts';
import { behindTheTriggers, empty, insertProject, insertProjects, insertUser } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import {
  insertUsers,
  insertVoteAt,
  insertVotesAt,
  logKey,
  publishAll,
  publishDayAgo,
  readLog,
  recordedByTables,
  replay,
  setStanding,
  timeOf,
  verifyAsStranger,
} from '#lab/testing/record.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { findMissing, noteRestore } from './after-restore.ts';
import { digestVotes } from './digests.ts';
import type { Span } from '#server/books/opinions.ts';
import { insertSecrets } from './states.ts';
import { closeToday, closeUpTo } from '#lab/testing/close.ts';
import { closeDays } from '#server/record/close-days.ts';

const DIGEST = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
const env = { LOG_PRIVATE_KEY: logKey() };
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;
beforeEach(() => empty(db));

/** Whether the record contains exactly the contents of the tables, each vote once. */
async function expectExact(): Promise<RecordEntry[]> {
  const { entries } = await readLog(server.url);
  const recorded = replay(entries);
  expect(Object.fromEntries(recorded)).toEqual(Object.fromEntries(await recordedByTables(db)));
  return entries;
}
/** Noon of the day before yesterday. */
const PAST = timeOf(2, 12 * 3_600_000);

/** Publishes, and returns the new entries. */
async function published(): Promise<RecordEntry[]> {
  const { entries: before } = await readLog(server.url);
  await publishAll(services);
  return (await expectExact()).slice(before.length);
}
const ofKind = <K extends RecordEntry['kind']>(entries: readonly RecordEntry[], kind: K) =>
  entries.filter((entry): entry is Extract<RecordEntry, { kind: K }> => entry.kind === kind);

/** This many users who have each voted on all of this many projects, every third one bearish. */
async function insertVotes(
  users: number,
  projects: number,
  at: string,
): Promise<{ users: number[]; projects: number[] }> {
  const ids = { users: await insertUsers(db, users), projects: await insertProjects(db, projects) };
  await insertVotesAt(db, { ...ids, at });
  return ids;
}

test('votes become entries in order, then totals, supply and the batch’s own entry [R40]', async () => {
  const { users, projects } = await insertVotes(4, 3, PAST);
  await setStanding(db, users[1] ?? 0, 'standing');
  await setStanding(db, users[2] ?? 0, 'no_standing');
  expect(await publishAll(services)).toBe(12 + 3 + 8);
  const entries = await expectExact();
  const last = entries.at(-1);
  if (last?.kind !== 'batch') throw new Error('a batch ends with its own entry');
  const batch = batchAt(entries.length - 1, last);
  expect(batch).toMatchObject({
    entries: { start: 0, end: 23 },
    votes: { start: 0, end: 12 },
    others: { start: 15, end: 22 },
  });
  expect(entries.slice(15, 20)).toMatchObject([
    { kind: 'format', version: 1 },
    { kind: 'anchor', sender: null },
    ...projects.map((projectId) => ({ kind: 'version', projectId, number: 1, identity: 1 })),
  ]);
  const votes = ofKind(entries, 'vote');
  expect(votes).toEqual(votes.toSorted(compareKeys));
  expect(new Set(votes.map(({ day }) => day))).toEqual(new Set([PAST.slice(0, 10)]));
  const totals = { bullish: 3, bearish: 1, verifiedBullish: 1, verifiedBearish: 0 };
  expect(ofKind(entries, 'project')).toMatchObject(projects.map((projectId) => ({ projectId, period: 1, ...totals })));
  expect(entries.slice(20, 22)).toMatchObject([
    { kind: 'file' },
    { kind: 'supply', granted: 0, burned: 0, paid: 0, held: 0, lost: 0, ahead: 0 },
  ]);
  expect(await findDifferences(db)).toEqual([]);
});

test('the record names Books, payouts by hand, and the Snaps that a restore lost, each once [R42 R97]', async () => {
  const { users } = await insertVotes(8, 3, PAST);
  const [user = 0, other = 0] = users;
  const payByHand = async (userId: number, tokenAmount: number) => {
    const { walletAddress } = await db
      .selectFrom('users')
      .select('walletAddress')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    const values = { userId, walletAddress, tokenAmount, state: 'paid' as const, digest: DIGEST, byHand: true };
    const { id: ref } = await db.insertInto('withdrawals').values(values).returning('id').executeTakeFirstOrThrow();
    await db
      .transaction()
      .execute((trx) =>
        post(
          trx,
          { userId, kind: 'grant', ref, amount: tokenAmount },
          { userId, kind: 'withdrawal_hold', ref, amount: -tokenAmount },
          { userId, kind: 'hold_release', ref, amount: tokenAmount },
          { userId, kind: 'payout', ref, amount: -tokenAmount },
        ),
      );
  };
  await payByHand(user, 60);
  await payByHand(other, 50);
  const book = { objectId: `0x${'b'.repeat(64)}`, packageId: `0x${'a'.repeat(64)}` };
  await db
    .insertInto('books')
    .values({ ...book, coinType: 'c', decimals: 6, sharedSince: 1, tableId: 't' })
    .execute();
  await publishAll(services);
  const first = await expectExact();
  const { packageId, objectId: bookId } = book;
  expect(ofKind(first, 'book')).toEqual([
    { kind: 'book', day: first.at(-1)?.day, network: 'localnet', packageId, bookId },
  ]);
  expect(ofKind(first, 'payout')).toMatchObject([{ snaps: 110, digest: DIGEST }]);
  expect(ofKind(first, 'supply')).toMatchObject([{ paid: 110, held: 0, lost: 0, ahead: 0 }]);
  await behindTheTriggers(db, async (trx) => {
    await sql`DELETE FROM votes WHERE user_id = ${users[7]}`.execute(trx);
    await sql`DELETE FROM token_ledger WHERE user_id = ${other} AND kind <> 'grant'`.execute(trx);
    await sql`DELETE FROM withdrawals WHERE user_id = ${other}`.execute(trx);
  });
  const { entries: before } = await readLog(server.url);
  await publishAll(services);
  const second = (await readLog(server.url)).entries.slice(before.length);
  expect([...ofKind(second, 'book'), ...ofKind(second, 'payout')]).toEqual([]);
  expect(ofKind(second, 'supply')).toMatchObject([{ paid: 60, lost: 30, ahead: 50 }]);
  const { body } = await new Client(server.url).get('/api/supply');
  expect(body).toMatchObject({ day: second.at(-1)?.day, paid: 60, lost: 30, ahead: 50 });
});

test('a restored record continues only from the newest checkpoint of its readers [R63]', async () => {
  await insertVotes(2, 1, PAST);
  const size = await publishAll(services);
  const { root } = await db.selectFrom('logCheckpoints').select('root').executeTakeFirstOrThrow();
  const noteOf = (entries: number, hash: Buffer) => `origin\n${entries}\n${hash.toString('base64')}\n`;
  expect(await findMissing(db, noteOf(size, root))).toBeNull();
  expect(await findMissing(db, noteOf(size + 1, root))).toMatch(/^1 entries of the record are missing/);
  expect(await findMissing(db, noteOf(size - 1, root))).toMatch(/give the newest checkpoint$/);
  expect(await findMissing(db, noteOf(size, Buffer.alloc(32)))).toBe('it is a checkpoint of another log');
  // It reaches today, so it has no successor yet.
  await behindTheTriggers(db, (trx) =>
    sql`UPDATE log_checkpoints SET until = date_trunc('day', now(), 'UTC') + interval '1 day'`.execute(trx),
  );
  expect(await noteRestore(db, new Date(), true)).toBe(false);
});

test('a later change of a state is an entry of the next batch, and changes the totals [R39 R40]', async () => {
  const { users, projects } = await insertVotes(3, 2, PAST);
  const [one = 0, two = 0, three = 0] = users;
  const [project = 0, other = 0] = projects;
  await setStanding(db, one, 'standing');
  await closeToday(services);
  const excludeVote = (userId: number, reason: 'rhythm' | 'moderator') =>
    db.insertInto('votesSetAside').values({ userId, projectId: project, reason, detail: 'd', actor: 'a' }).execute();

  await setStanding(db, one, 'no_standing');
  await setStanding(db, two, 'standing');
  await excludeVote(two, 'rhythm');
  let fresh = await published();
  expect(ofKind(fresh, 'state').map(({ projectId, state }) => [projectId, state])).toEqual(
    expect.arrayContaining([
      [project, 'waiting'],
      [project, 'rhythm'],
      [other, 'waiting'],
      [other, 'verified'],
    ]),
  );
  expect(ofKind(fresh, 'state')).toHaveLength(4);
  expect(ofKind(fresh, 'project')).toMatchObject([
    { projectId: project, bullish: 2, bearish: 1, verifiedBullish: 0, verifiedBearish: 0 },
  ]);

  await excludeVote(two, 'moderator');
  await excludeVote(three, 'moderator');
  fresh = await published();
  expect(ofKind(fresh, 'state')).toMatchObject([{ projectId: project, state: 'moderator' }]);
  expect(ofKind(fresh, 'state')[0]?.pseudonyms).toHaveLength(2);
  expect(ofKind(fresh, 'project')).toEqual([]);

  await db.deleteFrom('votesSetAside').execute();
  await db.deleteFrom('voterStanding').where('userId', '=', one).execute();
  fresh = await published();
  expect(
    ofKind(fresh, 'state')
      .map(({ state }) => state)
      .toSorted(),
  ).toEqual(['verified', 'waiting']);
  expect(ofKind(await published(), 'state')).toEqual([]);
  expect(await findDifferences(db)).toEqual([]);
});

test('a vote of a later period replaces the recorded one, and a replaced vote no longer changes [R40 R45]', async () => {
  const { users, projects } = await insertVotes(2, 1, PAST);
  const [one = 0, two = 0] = users;
  const [projectId = 0] = projects;
  await setStanding(db, one, 'standing');
  await closeToday(services);
  const again = async (userId: number, period: number, bullish: boolean) => {
    const { rows } = await sql<{ at: string }>`SELECT vote_time()::text AS at`.execute(db);
    await insertVoteAt(db, { userId, projectId, period, bullish, at: rows[0]?.at ?? '' });
  };

  await again(one, 2, false);
  let fresh = await published();
  expect(ofKind(fresh, 'state')).toMatchObject([{ period: 1, state: 'replaced' }]);
  expect(ofKind(fresh, 'vote')).toMatchObject([{ period: 2, bullish: false, state: 'verified' }]);
  const totals = ofKind(fresh, 'project').map(({ period, bullish, bearish, verifiedBullish, verifiedBearish }) => [
    period,
    bullish + bearish,
    verifiedBullish + verifiedBearish,
  ]);
  expect(totals).toEqual([
    [1, 1, 0],
    [2, 1, 1],
  ]);

  // Lost standing and votes set aside change only the vote that counts.
  await setStanding(db, one, 'no_standing');
  await db
    .insertInto('votesSetAside')
    .values({ userId: one, projectId, reason: 'rhythm', detail: 'd', actor: 'a' })
    .execute();
  expect(ofKind(await published(), 'state')).toMatchObject([{ period: 2, state: 'waiting' }]);
  await db.deleteFrom('votesSetAside').execute();
  expect(ofKind(await published(), 'state')).toEqual([]);

  // Two periods in one batch: the older vote of them is published as replaced.
  await again(two, 3, true);
  await again(two, 4, true);
  fresh = await published();
  expect(ofKind(fresh, 'vote').map(({ period, state }) => [period, state])).toEqual([
    [3, 'replaced'],
    [4, 'waiting'],
  ]);
  expect(ofKind(fresh, 'state')).toMatchObject([{ period: 1, state: 'replaced' }]);
  expect(await findDifferences(db)).toEqual([]);
});

test('each past UTC day gets a separate batch, once [R40]', async () => {
  const { rows } = await sql<{ days: string[] }>`
    SELECT array_agg(to_char(day, 'YYYY-MM-DD') ORDER BY day) AS days
    FROM generate_series((now() - interval '5 minutes') AT TIME ZONE 'UTC' - interval '3 days', now() AT TIME ZONE 'UTC', '1 day') day`.execute(
    db,
  );
  const [first = '', second = '', third = '', today = ''] = rows[0]?.days ?? [];
  const projectId = await insertProject(db);
  for (const at of [
    `${first} 23:59:59.999999+00`,
    `${second} 00:00:00+00`,
    `${third} 12:00:00+00`,
    `${today} 00:00:00+00`,
  ]) {
    await insertVoteAt(db, { userId: await insertUser(db), projectId, at });
  }
  await closeUpTo(services, first);
  expect(await closeDays(services)).toBe(2);
  expect(await closeDays(services)).toBe(0);
  const entries = await expectExact();
  const batches = ofKind(entries, 'batch');
  expect(batches.map(({ day, votes }) => [day, votes])).toEqual([
    [first, 1],
    [second, 1],
    [third, 1],
  ]);
  const found = [];
  for await (const batch of readBatches(entries.length, async (index) => entries[index] as RecordEntry))
    found.push(batch);
  expect(found.map(({ entry }) => entry.day)).toEqual([third, second, first]);
  const { rows: checkpoints } = await sql<{ until: string }>`
    SELECT to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS until FROM log_checkpoints ORDER BY size`.execute(
    db,
  );
  expect(checkpoints.map(({ until }) => until)).toEqual([second, third, today].map((day) => `${day} 00:00:00.000000`));
});

test('the votes of a day are one file whose hash is in the record [R93 R63]', async () => {
  const projects = await insertProjects(db, 2);
  const users = await insertUsers(db, 40);
  await insertVotesAt(db, { users: users.slice(0, 20), projects, at: timeOf(2, 1_000) });
  await publishDayAgo(services, 2);
  await insertVotesAt(db, { users: users.slice(20, 30), projects, at: timeOf(1, 1_000) });
  await insertVotesAt(db, { users: users.slice(30), projects, at: timeOf(1, 9_000) });
  await publishDayAgo(services, 1);

  const { entries } = await readLog(server.url);
  const files = entries.filter((entry) => entry.kind === 'file');
  expect(files.map(({ day }) => day)).toEqual([timeOf(2, 0), timeOf(1, 0)].map((time) => time.slice(0, 10)));
  for (const { day, hash } of files) {
    const response = await fetch(`${server.url}/log/votes/${day}`);
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(createHash('sha256').update(text).digest('base64url')).toBe(hash);
    expect(text.startsWith('day,kind,project,')).toBe(true);
    expect(text.trimEnd().split('\n')).toHaveLength(1 + 40);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="snapswipe-votes-${day}.csv"`);
    const plain = await fetch(`${server.url}/log/votes/${day}`, { headers: { 'accept-encoding': 'identity' } });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, text]);
  }
  expect((await fetch(`${server.url}/log/votes/2020-01-01`)).status).toBe(404);
  const { checks } = await verifyAsStranger(server.databaseUrl, env);
  for (const name of ['Entries', 'Files']) expect(checks.find((check) => check.name === name)?.differences).toEqual([]);
});

test('the first batch has all days before it, and ends at the last midnight [R40]', async () => {
  const projectId = await insertProject(db);
  await insertVoteAt(db, { userId: await insertUser(db), projectId, at: timeOf(4, 0) });
  expect(await closeDays(services)).toBe(4);
  expect(ofKind(await expectExact(), 'batch')).toMatchObject([{ day: timeOf(1, 0).slice(0, 10) }]);
  expect(ofKind(await expectExact(), 'vote')).toHaveLength(1);
});

test('results of readings are recorded once for each day, days that were not read to their end as skipped [R37 R40 R63]', async () => {
  const dayOf = (daysAgo: number) => timeOf(daysAgo, 0).slice(0, 10);
  await db
    .insertInto('standingDays')
    .values([
      { day: dayOf(3), skipped: 'the node was away' },
      { day: dayOf(4), wallets: 12, standing: 7 },
    ])
    .execute();
  await closeUpTo(services, dayOf(1));
  await db
    .insertInto('standingDays')
    .values({ day: dayOf(0), wallets: 1, standing: 0 })
    .execute();
  await publishAll(services);
  expect(ofKind(await expectExact(), 'standing')).toEqual([
    { kind: 'standing', day: dayOf(4), found: { read: 12, standing: 7 } },
    ...[3, 2, 1].map((daysAgo) => ({ kind: 'standing', day: dayOf(daysAgo), found: null })),
    { kind: 'standing', day: dayOf(0), found: { read: 1, standing: 0 } },
  ]);
});

/** A trigger that does this when publishing comes to this table, for instance breaks it off. */
async function breakAt(table: string, statement: string): Promise<void> {
  await sql
    .raw(`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NULL; END $$;
    CREATE TRIGGER break_off AFTER INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION break_off()`)
    .execute(db);
  onTestFinished(async () => void (await sql`DROP FUNCTION IF EXISTS break_off CASCADE`.execute(db)));
}

test.each([
  ['a slice of votes that fails', 'staged_files', "RAISE EXCEPTION 'full'"],
  ['a statement that fails in the middle', 'log_files', "RAISE EXCEPTION 'full'"],
  ['a statement that fails at the end', 'log_checkpoints', "RAISE EXCEPTION 'full'"],
  ['a connection that ends in the middle', 'recorded_totals', 'PERFORM pg_terminate_backend(pg_backend_pid())'],
])('%s publishes nothing, and the next attempt publishes everything once [R40]', async (_what, table, statement) => {
  const { users } = await insertVotes(60, 5, PAST);
  await closeToday(services);
  const { rows } = await sql<{ at: string }>`SELECT vote_time()::text AS at`.execute(db);
  // More than fill a file.
  await insertVotesAt(db, { users, projects: await insertProjects(db, 5), at: rows[0]?.at ?? '' });
  const paths = () => db.selectFrom('logFiles').select('path').orderBy('path').execute();
  const before = await paths();
  const { checkpoint } = await readLog(server.url);
  const user = await newUser(server);
  const [project = 0] = await insertProjects(db, 1);
  await user.post('/api/votes', { userId: user.id, projectId: project, voteType: 'bullish' });
  await breakAt(table, statement);
  await expect(publishAll(services)).rejects.toThrow();
  expect(await paths()).toEqual(before);
  expect((await readLog(server.url)).checkpoint).toEqual(checkpoint);
  await sql`DROP FUNCTION break_off CASCADE`.execute(db);
  await closeToday(services);
  expect(ofKind(await expectExact(), 'vote')).toHaveLength(601);
  expect(await db.selectFrom('stagedFiles').select('path').execute()).toEqual([]);
});

test('a vote that is excluded while its day is being written is recorded as it was counted, and not shown [R39 R94]', async () => {
  const { users, projects } = await insertVotes(300, 1, PAST);
  const [projectId = 0] = projects;
  for (const userId of users.slice(0, 3)) await setStanding(db, userId, 'standing');
  await closeUpTo(services, timeOf(3, 0).slice(0, 10));
  await breakAt(
    'staged_files',
    `INSERT INTO votes_set_aside (user_id, project_id, reason, detail, actor) VALUES (${users[0]}, ${projectId}, 'moderator', 'd', 'a') ON CONFLICT DO NOTHING`,
  );
  await publishDayAgo(services, 2);
  const shown = () =>
    db.selectFrom('verifiedStats').select(['bullish', 'bearish', 'excludedSince']).executeTakeFirstOrThrow();
  const { entries } = await readLog(server.url);
  expect(ofKind(entries, 'project').at(-1)).toMatchObject({ verifiedBullish: 2, verifiedBearish: 1 });
  expect(await shown()).toEqual({ bullish: 1, bearish: 1, excludedSince: 1 });
  expect(await findDifferences(db)).toEqual([]);
  await publishDayAgo(services, 1);
  expect(ofKind(await expectExact(), 'state')).toMatchObject([{ state: 'moderator' }]);
  expect(await shown()).toEqual({ bullish: 1, bearish: 1, excludedSince: 0 });
});

test('secrets are made in slices, for users who have voted since, and for each once [R40 R69]', async () => {
  await insertVotes(1, 1, timeOf(3, 0));
  const [users, later] = [await insertUsers(db, 7), await insertUsers(db, 1)];
  const projects = await insertProjects(db, 1);
  for (const [index, user] of [...users, ...later].entries())
    await insertVotesAt(db, { users: [user], projects, at: timeOf(2, index * 3_600_000) });
  const { rows } =
    await sql<Span>`SELECT ${timeOf(2, 0)}::timestamptz::text AS since, ${timeOf(2, 7 * 3_600_000)}::timestamptz::text AS until`.execute(
      db,
    );
  const [span = { since: '', until: '' }] = rows;
  await insertSecrets(db, span, 2);
  const secrets = () => db.selectFrom('voterSecrets').selectAll().orderBy('userId').execute();
  const first = await secrets();
  expect(first.map(({ userId }) => userId)).toEqual(users);
  await insertSecrets(db, span, 4);
  expect(await secrets()).toEqual(first);
});

test('servers that publish at the same time publish once [R40]', async () => {
  await insertVotes(5, 10, PAST);
  const other = await startServer(server.databaseUrl, { env });
  onTestFinished(() => other.close());
  const days = await Promise.all([services, other.services, services, other.services].map((each) => closeDays(each)));
  expect(days.reduce((sum, count) => sum + count)).toBe(2);
  await Promise.all([services, other.services].map((each) => closeToday(each)));
  expect(ofKind(await expectExact(), 'vote')).toHaveLength(50);
});

test('a key other than the one that signed the log publishes nothing [R40]', async () => {
  await closeToday(services);
  const config = testConfig(server.databaseUrl, { LOG_PRIVATE_KEY: logKey() });
  await expect(publishAll({ ...services, config })).rejects.toMatchObject({ code: 'other_log_key' });
  // Days are closed with their batches, so that no batch lacks a day.
  await expect(publishAll({ ...services, config: testConfig(server.databaseUrl) })).rejects.toMatchObject({
    code: 'no_log_key',
  });
});

test('files that do not fit the checkpoint stop the next batch [R40 R43]', async () => {
  await closeToday(services);
  await behindTheTriggers(
    db,
    (trx) =>
      sql`UPDATE log_files SET bytes = overlay(bytes PLACING '\\x00' FROM 1) WHERE path LIKE 'tile/0/%'`.execute(trx),
    { reopens: false },
  );
  await expect(publishAll(services)).rejects.toMatchObject({
    code: 'record_damaged',
    message: expect.stringContaining('do not fit'),
  });
});

test.each<[what: string, change: string]>([
  ['root', `root = sha256('other'::bytea)`],
  ['size', 'size = size + 1'],
])('the server signs nothing after its newest note when the table has another %s [R63]', async (_what, change) => {
  await closeToday(services);
  await behindTheTriggers(db, (trx) => sql.raw(`UPDATE log_checkpoints SET ${change}`).execute(trx), {
    reopens: false,
  });
  await expect(publishAll(services)).rejects.toMatchObject({ code: 'record_damaged' });
});

test('the record names its anchoring wallet in the first batch and at each change, and its format once [R62 R63]', async () => {
  await closeToday(services);
  const anchorKey = new Ed25519Keypair();
  const config = testConfig(server.databaseUrl, { ...env, ANCHOR_PRIVATE_KEY: anchorKey.getSecretKey() });
  for (const _ of [1, 2]) await publishAll({ ...services, config });
  await publishAll(services);
  const { entries } = await readLog(server.url);
  expect(ofKind(entries, 'format').map(({ version }) => version)).toEqual([1]);
  expect(ofKind(entries, 'anchor').map(({ sender }) => sender)).toEqual([null, anchorKey.toSuiAddress(), null]);
});

test("the record names blanked versions, and the moderators' latest word on whether a project is the same [R60 R63]", async () => {
  const projectId = await insertProject(db);
  for (const name of ['Loud Frog', 'Sly Frog'])
    await sql`UPDATE projects SET name = ${name} WHERE id = ${projectId}`.execute(db);
  const panel = await signInAsAdmin(server);
  const act = async (number: number, ...acts: string[]) => {
    for (const one of acts)
      expect(
        (await panel.post(`/api/admin/projects/${projectId}/versions/${number}/moderate`, { act: one, reason: 'Why' }))
          .status,
      ).toBe(200);
  };
  const written = async () =>
    (await published()).flatMap((entry) => {
      if (entry.kind === 'blank') return `blank ${entry.number}`;
      return entry.kind === 'same' || entry.kind === 'apart' ? `${entry.kind} ${entry.identity}` : [];
    });
  await publishAll(services);
  await act(1, 'blank', 'blank');
  await act(2, 'same_project', 'other_project', 'same_project');
  await act(3, 'same_project', 'other_project');
  expect(await written()).toEqual(['blank 1', 'same 2']);
  await act(2, 'other_project', 'same_project');
  expect(await written()).toEqual([]);
  await act(2, 'other_project', 'other_project');
  await act(3, 'same_project');
  expect(await written()).toEqual(['same 3', 'apart 2']);
  await act(2, 'same_project');
  expect(await written()).toEqual(['same 2']);
});

test('the server stores the digests of all recorded votes, equal to those of the log [R62 R63]', async () => {
  const projectId = await insertProject(db);
  for (const daysAgo of [5, 3])
    await insertVotesAt(db, { users: await insertUsers(db, 20), projects: [projectId], at: timeOf(daysAgo, 1_000) });
  await sql`UPDATE projects SET name = 'Renamed' WHERE id = ${projectId}`.execute(db);
  await insertVotesAt(db, { users: await insertUsers(db, 3), projects: [projectId], at: 'now' });
  await publishAll(services);
  // Newer than the record.
  await insertVotesAt(db, { users: await insertUsers(db, 5), projects: [projectId], at: 'now' });
  await digestVotes(services);
  const { checkpoint, entries } = await readLog(server.url);
  const recorded = ofKind(entries, 'vote');
  expect(recorded.filter(({ identity }) => identity === 2)).toHaveLength(3);
  const digest = digestText(recorded.reduce((sum, entry) => sum + opinionDigest(entry), 0n));
  const bullish = recorded.filter((entry) => entry.bullish).length;
  const standing = { bullish, bearish: recorded.length - bullish };
  expect(await db.selectFrom('recordDigests').selectAll().execute()).toEqual([
    { projectId, period: 1, size: checkpoint.size, digest, ...standing },
  ]);
  // A second run reads nothing.
  await behindTheTriggers(db, (trx) => sql`UPDATE votes SET bullish = NOT bullish`.execute(trx));
  await digestVotes(services);
  expect(await db.selectFrom('recordDigests').select('digest').execute()).toEqual([{ digest }]);
});

test('the server stores the digests once after simultaneous publications [R62]', async () => {
  const projectId = await insertProject(db);
  await insertVotesAt(db, { users: await insertUsers(db, 5), projects: [projectId], at: PAST });
  await closeToday(services);
  await Promise.all(Array.from({ length: 4 }, () => digestVotes(services)));
  expect(await db.selectFrom('recordDigests').select('projectId').execute()).toEqual([{ projectId }]);
});

test('published rows can be neither changed nor deleted [R40]', async () => {
  await closeToday(services);
  for (const statement of ['UPDATE log_files SET bytes = bytes', 'DELETE FROM log_checkpoints', 'TRUNCATE log_files'])
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only');
});

test.each<[what: string, statement: string, found: RegExp[]]>([
  [
    'a vote that came later with an earlier time',
    `INSERT INTO votes (user_id, project_id, bullish, created_at) SELECT user_id, project_id + 1, true, now() - interval '5 days'
     FROM votes ORDER BY project_id DESC LIMIT 1`,
    [
      /^record: 6 votes and changes published, 7 given before /,
      /^project \d+ in period 1: record 0 bullish, 0 bearish; votes 1, 0$/,
    ],
  ],
  [
    'a vote whose direction was changed',
    'UPDATE votes SET bullish = NOT bullish WHERE (user_id, project_id) = (SELECT user_id, project_id FROM votes WHERE bullish LIMIT 1)',
    [/^project \d+ in period 1: record 2 bullish, 1 bearish; votes 1, 2$/],
  ],
])('the check of the books finds %s [R13 R40]', async (_what, statement, found) => {
  await insertVotes(3, 2, PAST);
  await closeToday(services);
  expect(await findDifferences(db)).toEqual([]);
  await behindTheTriggers(db, (trx) => sql.raw(statement).execute(trx), { reopens: false });
  const lines = await findDifferences(db);
  const ofRecord = lines.filter((line) => /^record|^project \d+ in period|^proof/.test(line));
  expect(ofRecord).toEqual(found.map((pattern) => expect.stringMatching(pattern)));
});
