import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Decision, VOTE_STATES, type SetAsideReason, voterState, voteState } from '#shared/states/votes.ts';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import type { AdminAppeal, Appeal, ModeratedVote, Standing, Trust } from '#shared/contract/standing.ts';
import type { Project } from '#shared/contract/types.ts';
import type { LeaderboardRow } from '#shared/contract/projects.ts';
import type { Activity, VoteHistoryItem } from '#shared/contract/users.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { empty, grantTokens, insertProject, insertProjects, beginPeriod } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { countAllVotes, giveStanding } from '#lab/testing/standing.ts';
import { refreshVoterStates } from './count-verified.ts';

const server = await createTestApp();
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);

beforeEach(() => empty(db));

const vote = async (user: TestUser, projectId: number, voteType: 'bullish' | 'bearish' = 'bullish') =>
  expect((await user.post('/api/votes', { userId: user.id, projectId, voteType })).status).toBe(200);
const project = async (id: number) => (await visitor.get<Project>(`/api/projects/${id}`)).body;
const statesOf = async (user: TestUser) =>
  (await user.get<VoteHistoryItem[]>(`/api/users/${user.id}/votes`)).body.map(({ state, detail }) => [state, detail]);

/** A user whose wallet has standing. */
async function standingUser(): Promise<TestUser> {
  const user = await newUser(server);
  await giveStanding(db, [user.id]);
  return user;
}

test('the database gives every voter and vote the state of the rule [R38 R39 R45]', async () => {
  const voters = fc.record({
    ageDays: fc.integer({ min: 0, max: 20 }),
    // A result for each of the last nine days that the site read, the newest first.
    days: fc.array(fc.constantFrom('held', 'held', 'held', 'held', 'poor', 'unread', 'not asked'), {
      minLength: 9,
      maxLength: 9,
    }),
    aside: fc.subarray<SetAsideReason>(['rhythm', 'moderator']),
    decision: fc.constantFrom<Decision | null>('verified', 'no_standing', 'waiting', null),
    votes: fc.integer({ min: 1, max: 3 }),
  });
  const list = fc.sample(voters, { numRuns: 300, seed: 14 });
  const minDays = 7;
  // A history ends with the last day on which the wallet was asked; a skipped day is not in it.
  const facts = list.map(({ days, ...one }) => {
    const behind = days.findIndex((day) => day !== 'not asked');
    const bitsOf = (...wanted: string[]): number =>
      days.slice(Math.max(behind, 0)).reduce((sum, day, n) => sum + (wanted.includes(day) ? 2 ** n : 0), 0);
    return { ...one, days, behind, read: bitsOf('held', 'poor'), held: bitsOf('held'), unread: bitsOf('unread') };
  });
  await sql`INSERT INTO standing_days (day, skipped) SELECT (now() AT TIME ZONE 'UTC')::date - n, CASE WHEN n = 2 THEN 'Away' END
    FROM generate_series(0, 9) n`.execute(db);
  await sql`INSERT INTO users (wallet_address, created_at)
    SELECT '0x' || lpad(to_hex(n), 64, '0'), now() - a.days * interval '1 day' - interval '1 minute'
    FROM unnest(${facts.map(({ ageDays }) => ageDays)}::int[]) WITH ORDINALITY AS a (days, n) ORDER BY n`.execute(db);
  await sql`INSERT INTO user_stats (user_id, last_day) SELECT id, (now() AT TIME ZONE 'UTC')::date FROM users`.execute(
    db,
  );
  const ids = (await db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id);
  await sql`INSERT INTO voter_standing (user_id, read_on, history_read, history_held, history_unread)
    SELECT id, (SELECT day FROM standing_days WHERE skipped IS NULL ORDER BY day DESC OFFSET greatest(behind, 0) LIMIT 1), read::bit(64), held::bit(64), unread::bit(64)
    FROM unnest(${ids}::bigint[], ${facts.map(({ behind }) => behind)}::int[], ${facts.map(({ read }) => read)}::int[], ${facts.map(({ held }) => held)}::int[],
      ${facts.map(({ unread }) => unread)}::int[]) AS x (id, behind, read, held, unread)`.execute(db);
  await sql`INSERT INTO votes (user_id, project_id, tokens, bullish, created_at) SELECT id, 1, 10, true, now() FROM users`.execute(
    db,
  );
  // Votes again in the third and fifth listing period.
  await sql`INSERT INTO votes (user_id, project_id, tokens, bullish, created_at, period)
    SELECT id, 1, 10, true, now(), 2 * n - 1 FROM unnest(${ids}::bigint[], ${facts.map(({ votes }) => votes)}::int[]) AS x (id, votes),
      generate_series(2, votes) n`.execute(db);
  const aside = facts.flatMap((one, i) => one.aside.map((reason) => ({ userId: ids[i] ?? 0, reason })));
  await db
    .insertInto('votesSetAside')
    .values(aside.map((row) => ({ ...row, projectId: 1, detail: 'made up', actor: 'test' })))
    .execute();
  await sql`INSERT INTO vote_decisions (user_id, project_id, period, cast_at, state, days_read, days_held)
    SELECT v.user_id, v.project_id, v.period, v.created_at, x.decision::vote_state, 20, 10 FROM votes v
    JOIN unnest(${ids}::bigint[], ${facts.map(({ decision }) => decision)}::text[]) AS x (id, decision) ON x.id = v.user_id
    WHERE x.decision IS NOT NULL AND v.period = 1`.execute(db);
  await refreshVoterStates(db, minDays);
  const { rows } = await sql<{ id: number; voter: string; vote: string }>`
    SELECT v.user_id AS id, s.state AS voter, v.state AS vote FROM vote_states v JOIN voter_standing s USING (user_id)
    WHERE v.period = 1 ORDER BY id`.execute(db);
  const expected = facts.map(({ ageDays, days, decision, ...one }, i) => {
    const count = (...wanted: string[]): number => days.slice(0, 7).filter((day) => wanted.includes(day)).length;
    const found = { daysRead: count('held', 'poor'), daysHeld: count('held'), daysUnread: count('unread') };
    const voter = voterState({ ageDays, ...found }, minDays);
    return { id: ids[i], voter, vote: voteState(voter, one.aside, { isReplaced: one.votes > 1, decision }) };
  });
  expect(rows).toEqual(expected);
  expect(new Set(rows.map(({ vote: state }) => state))).toEqual(new Set(VOTE_STATES));
  const later = await sql<{ votes: number; replaced: number }>`
    SELECT count(*)::int AS votes, count(*) FILTER (WHERE state = 'replaced')::int AS replaced FROM vote_states WHERE period > 1 GROUP BY user_id`.execute(
    db,
  );
  for (const { votes, replaced } of later.rows) expect(replaced).toBe(votes - 1);
});

test('verified votes are counted beside all others, on every list that shows a project [R38 R44]', async () => {
  const [one, other] = await insertProjects(db, 2);
  const [holder, second, fresh, owner] = [
    await standingUser(),
    await standingUser(),
    await newUser(server),
    await newUser(server),
  ];
  await vote(holder, one ?? 0);
  await vote(second, one ?? 0, 'bearish');
  await vote(fresh, one ?? 0);
  await vote(fresh, other ?? 0);
  await countAllVotes(services);
  expect(await project(one ?? 0)).toMatchObject({
    bullishCount: 2,
    bearishCount: 1,
    verified: { bullish: 1, bearish: 1 },
  });
  expect(await project(other ?? 0)).toMatchObject({ totalVotes: 1, verified: { bullish: 0, bearish: 0 } });
  const board = (await visitor.get<LeaderboardRow[]>('/api/projects/leaderboard/all')).body;
  const feed = (await owner.get<Project[]>(`/api/projects?userId=${owner.id}`)).body;
  for (const list of [board, feed, (await visitor.get<Project[]>('/api/projects')).body])
    expect(list.find(({ id }) => id === one)?.verified).toEqual({ bullish: 1, bearish: 1 });
  // Losing standing affects the votes, and nothing else.
  await giveStanding(db, [holder.id], 5);
  await countAllVotes(services);
  expect(await project(one ?? 0)).toMatchObject({
    bullishCount: 2,
    bearishCount: 1,
    verified: { bullish: 0, bearish: 1 },
  });
  expect(await findDifferences(db)).toEqual([]);
});

describe('a moderator', () => {
  test('a moderator sets votes aside with a reason and lifts that; the voter reads both, and the counters follow [R39]', async () => {
    const [projectId = 0, other = 0] = await insertProjects(db, 2);
    const user = await standingUser();
    await vote(user, projectId);
    await vote(user, other);
    await countAllVotes(services);
    expect(await statesOf(user)).toEqual([
      ['verified', null],
      ['verified', null],
    ]);
    const panel = await signInAsAdmin(server);
    const path = `/api/admin/users/${user.id}/votes/moderate`;
    expect((await panel.post(path, { projectId, aside: true, reason: ' ' })).status).toBe(400);
    expect((await panel.post(path, { projectId: 99_999, aside: true, reason: 'Bought' })).status).toBe(404);
    expect((await panel.post(path, { projectId, aside: true, reason: 'Bought votes' })).status).toBe(200);
    expect(await statesOf(user)).toEqual([
      ['verified', null],
      ['moderator', 'Bought votes'],
    ]);
    await countAllVotes(services);
    expect((await project(projectId)).verified).toEqual({ bullish: 0, bearish: 0 });
    expect((await project(other)).verified).toEqual({ bullish: 1, bearish: 0 });
    const listed = (await panel.get<ModeratedVote[]>('/api/admin/moderation/votes')).body;
    expect(listed).toMatchObject([
      { userId: user.id, project: { id: projectId }, state: 'moderator', detail: 'Bought votes' },
    ]);
    const own = (await panel.get<ModeratedVote[]>(`/api/admin/moderation/votes?voterId=${user.id}`)).body;
    expect(own.map(({ project: { id }, state }) => [id, state])).toEqual([
      [other, 'verified'],
      [projectId, 'moderator'],
    ]);
    expect((await panel.post(path, { projectId, aside: false, reason: 'A mistake of ours' })).status).toBe(200);
    await countAllVotes(services);
    expect((await project(projectId)).verified).toEqual({ bullish: 1, bearish: 0 });
    const lines = (await user.get<Activity[]>(`/api/users/${user.id}/activity`)).body;
    expect(lines.map(({ kind }) => kind)).toEqual(['vote_restored', 'vote_set_aside']);
    expect(lines[1]?.text).toContain('Bought votes');
    expect(
      await db.selectFrom('notices').select(['kind', 'text', 'link']).where('userId', '=', user.id).execute(),
    ).toMatchObject([{ kind: 'vote_excluded', text: expect.stringContaining('Bought votes'), link: '/portfolio' }]);
    const log = await db
      .selectFrom('auditLog')
      .select('action')
      .where('action', 'like', 'vote.%')
      .orderBy('id')
      .execute();
    expect(log.map(({ action }) => action)).toEqual(['vote.set_aside', 'vote.lift']);
  });

  test.each([999_999, 2 ** 31, Number.MAX_SAFE_INTEGER])(
    'a moderator cannot decide on a missing vote on project %d [R39]',
    async (projectId) => {
      const panel = await signInAsAdmin(server);
      const user = await newUser(server);
      const decided = await panel.post(`/api/admin/users/${user.id}/votes/moderate`, {
        projectId,
        aside: true,
        reason: 'Spam',
      });
      expect(decided).toMatchObject({ status: 404, body: { error: 'vote_not_found' } });
    },
  );

  test('a moderator lifts decisions of the rhythm rule, and overrides it [R39]', async () => {
    const projectId = await insertProject(db);
    const user = await standingUser();
    await vote(user, projectId);
    await db
      .insertInto('votesSetAside')
      .values({ userId: user.id, projectId, reason: 'rhythm', detail: 'Like clockwork', actor: 'rhythm rule' })
      .execute();
    expect(await statesOf(user)).toEqual([['rhythm', 'Like clockwork']]);
    const panel = await signInAsAdmin(server);
    const path = `/api/admin/users/${user.id}/votes/moderate`;
    await panel.post(path, { projectId, aside: true, reason: 'Bought' });
    expect(await statesOf(user)).toEqual([['moderator', 'Bought']]);
    expect((await panel.get<ModeratedVote[]>('/api/admin/moderation/votes')).body).toHaveLength(2);
    await panel.post(path, { projectId, aside: false, reason: 'Lifted' });
    await countAllVotes(services);
    expect(await statesOf(user)).toEqual([['verified', null]]);
  });
});

test("a moderator's decision covers one voter and one project, with the votes of all periods [R39 R45]", async () => {
  const [projectId = 0, other = 0] = await insertProjects(db, 2);
  const [user, bystander] = [await standingUser(), await standingUser()];
  for (const id of [projectId, other]) await vote(user, id);
  await vote(bystander, projectId);
  await beginPeriod(db, projectId);
  await vote(user, projectId);
  const panel = await signInAsAdmin(server);
  const decide = async ({ id }: TestUser, on: number, aside: boolean, reason: string) => {
    const { status } = await panel.post(`/api/admin/users/${id}/votes/moderate`, { projectId: on, aside, reason });
    expect(status).toBe(200);
  };
  await decide(user, projectId, true, 'Bought');
  await decide(user, other, true, 'Sold');
  await decide(bystander, projectId, true, 'Bought, too');
  // Repeated, for another reason.
  await decide(user, projectId, true, 'Bought votes');
  expect(await statesOf(user)).toEqual([
    ['moderator', 'Bought votes'],
    ['moderator', 'Sold'],
    ['replaced', null],
  ]);
  await decide(user, projectId, false, 'A mistake');
  await countAllVotes(services);
  expect(await statesOf(user)).toEqual([
    ['verified', null],
    ['moderator', 'Sold'],
    ['replaced', null],
  ]);
  expect(await statesOf(bystander)).toEqual([['moderator', 'Bought, too']]);
});

describe('the check of the books', () => {
  const plant = (statement: string) => sql.raw(statement).execute(db);

  test.each([
    [
      'a verified vote too many',
      'UPDATE verified_stats SET bullish = bullish + 1',
      /^project \d+: verified counters 2 bullish, 0 bearish; verified votes 1, 0$/,
    ],
    [
      'a project without its verified votes',
      'DELETE FROM verified_stats',
      /^project \d+: verified counters 0 bullish, 0 bearish; verified votes 1, 0$/,
    ],
    [
      'a day without its votes',
      "DELETE FROM vote_state_days WHERE state = 'verified'",
      /^votes of [\d-]+: counted 0 as verified; votes 1$/,
    ],
    [
      'a day without such votes',
      "INSERT INTO vote_state_days (day, state, votes) VALUES ('2026-01-01', 'rhythm', 1)",
      /^votes of 2026-01-01: counted 1 as rhythm; votes 0$/,
    ],
  ])('the check of the books finds %s [R13 R38]', async (_what, statement, line) => {
    const projectId = await insertProject(db);
    await vote(await standingUser(), projectId);
    await vote(await newUser(server), projectId);
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
    await plant(statement);
    expect((await findDifferences(db))[0]).toMatch(line);
    // The next count writes the states of the votes.
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('the check of the books waits for the next count after a decision, and leaves out later votes [R38]', async () => {
    const [projectId = 0, other = 0] = await insertProjects(db, 2);
    const user = await standingUser();
    await vote(user, projectId);
    await countAllVotes(services);
    await vote(user, other);
    expect(await findDifferences(db)).toEqual([]);
    const panel = await signInAsAdmin(server);
    await panel.post(`/api/admin/users/${user.id}/votes/moderate`, { projectId, aside: true, reason: 'Bought' });
    expect(await findDifferences(db)).toEqual([]);
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
    expect((await project(other)).verified).toEqual({ bullish: 1, bearish: 0 });
  });
});

test('a voter sees their standing and appeals once; the admin answers, and the voter reads it [R39]', async () => {
  const user = await newUser(server);
  const own = () => user.get<Standing>(`/api/users/${user.id}/standing`);
  expect((await own()).body).toMatchObject({ state: 'waiting', daysRead: 0, daysHeld: 0, readOn: null, appeal: null });
  await giveStanding(db, [user.id], 2);
  await refreshVoterStates(db, 7);
  expect((await own()).body).toMatchObject({
    state: 'no_standing',
    daysRead: 7,
    daysHeld: 2,
    rules: { minMist: '1000000000', minDays: 7, neededDays: 6, windowDays: 7, voterDays: 35, decisionMinDays: 10 },
  });
  for (const text of [' ', '\u200b', 'x'.repeat(501)])
    expect((await user.post('/api/appeals', { text })).status).toBe(400);
  // Votes that are not verified yet are not a reason.
  const [projectId = 0, other = 0, third = 0] = await insertProjects(db, 3);
  for (const id of [projectId, other, third]) await vote(user, id);
  expect((await own()).body.votes).toEqual({ verified: 0, waiting: 3, excluded: 0, undecided: 3 });
  expect(await user.post('/api/appeals', { text: 'My SUI is staked' })).toMatchObject({
    status: 409,
    body: { error: 'nothing_excluded' },
  });
  await sql`INSERT INTO vote_decisions (user_id, project_id, period, cast_at, state, days_read, days_held)
    SELECT user_id, project_id, period, created_at, CASE WHEN project_id = ${other} THEN 'verified' ELSE 'no_standing' END::vote_state, 35, 20
    FROM votes WHERE user_id = ${user.id} AND project_id <> ${third}`.execute(db);
  expect((await own()).body.votes).toEqual({ verified: 1, waiting: 1, excluded: 1, undecided: 1 });
  const posted = await user.post<Appeal>('/api/appeals', { text: 'My SUI is staked' });
  expect([posted.status, posted.body.answer]).toEqual([201, null]);
  expect((await user.post('/api/appeals', { text: 'Hello?' })).body).toMatchObject({ error: 'appeal_open' });
  const panel = await signInAsAdmin(server);
  const queue = (await panel.get<AdminAppeal[]>('/api/admin/appeals')).body;
  expect(queue).toMatchObject([
    { userId: user.id, text: 'My SUI is staked', standing: 'no_standing', votes: 3, noStanding: 1 },
  ]);
  const path = `/api/admin/appeals/${posted.body.id}/answer`;
  expect((await panel.post(path, { answer: '' })).status).toBe(400);
  expect((await panel.post(path, { answer: 'Keep 1 SUI unstaked' })).body).toMatchObject({
    answer: 'Keep 1 SUI unstaked',
  });
  expect((await panel.post(path, { answer: 'Again' })).status).toBe(409);
  expect((await panel.get<AdminAppeal[]>('/api/admin/appeals')).body).toEqual([]);
  expect((await panel.get<AdminAppeal[]>('/api/admin/appeals?state=answered')).body).toHaveLength(1);
  expect((await own()).body.appeal).toMatchObject({ answer: 'Keep 1 SUI unstaked' });
  const [line] = (await user.get<Activity[]>(`/api/users/${user.id}/activity`)).body;
  expect(line).toMatchObject({ kind: 'appeal_answered', text: 'Your appeal was answered: Keep 1 SUI unstaked' });
  expect((await user.post('/api/appeals', { text: 'Thank you' })).status).toBe(201);
  // The newest one is shown, whether it is answered or not.
  expect((await own()).body.appeal).toMatchObject({ text: 'Thank you', answer: null, answeredAt: null });
});

test('/trust has the last 35 days, and counts the votes and readings of all [R39 R44]', async () => {
  const today = sql`(now() AT TIME ZONE 'UTC')::date`;
  await sql`INSERT INTO vote_state_days (day, state, votes)
    SELECT ${today} - age, state::vote_state, votes FROM (VALUES (0, 'verified', 1), (34, 'verified', 2), (34, 'rhythm', 4), (35, 'moderator', 8),
      (35, 'waiting', 16), (40, 'no_standing', 32), (40, 'replaced', 64)) AS x (age, state, votes)`.execute(db);
  await sql`INSERT INTO standing_days (day, wallets, standing, unread, skipped)
    SELECT ${today} - age, wallets, standing, unread, skipped
    FROM (VALUES (0, 9, 8, 7, NULL), (34, 6, 5, 4, NULL), (35, 3, 2, 1, NULL), (40, 0, 0, 0, 'Away')) AS x (age, wallets, standing, unread, skipped)`.execute(
    db,
  );
  await server.allNotified();
  const day = (age: number) => new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 10);
  const none = { verified: 0, waiting: 0, noStanding: 0, rhythm: 0, moderator: 0, replaced: 0 };
  const { body } = await visitor.get<Trust>('/api/trust');
  expect(body).toMatchObject({
    votes: 127,
    verified: 3,
    rhythm: 4,
    moderator: 8,
    waiting: 16,
    noStanding: 32,
    replaced: 64,
    readingsDone: 3,
    readingsSkipped: 1,
  });
  expect(body.days).toEqual([
    { ...none, day: day(34), votes: 6, verified: 2, rhythm: 4 },
    { ...none, day: day(0), votes: 1, verified: 1 },
  ]);
  expect(body.readings).toEqual([
    { day: day(0), skipped: null, wallets: 9, standing: 8, unread: 7 },
    { day: day(34), skipped: null, wallets: 6, standing: 5, unread: 4 },
  ]);
});

test('the withdrawal queue shows what speaks for or against a wallet, and filters by standing [R14 R39]', async () => {
  const [user, twin, stranger] = [await standingUser(), await newUser(server), await newUser(server)];
  const projects = await insertProjects(db, 4);
  for (const [i, id] of projects.entries()) {
    await vote(user, id);
    await vote(twin, id, i === 0 ? 'bearish' : 'bullish');
    await vote(stranger, id);
  }
  const hash = (fill: number) => Buffer.alloc(16, fill);
  const day = sql<Date>`(now() AT TIME ZONE 'UTC')::date`;
  await db
    .insertInto('voterNetworks')
    .values([
      { day, userId: user.id, network: hash(1) },
      { day, userId: twin.id, network: hash(1) },
      { day, userId: stranger.id, network: hash(2) },
    ])
    .execute();
  await refreshVoterStates(db, 7);
  for (const one of [user, twin]) {
    await grantTokens(db, one.id, 100);
    const body = { userId: one.id, walletAddress: one.address, tokenAmount: 60 };
    expect((await one.post('/api/withdrawals', body)).status).toBe(201);
  }
  const panel = await signInAsAdmin(server);
  const queue = (query: string) => panel.get<AdminWithdrawal[]>(`/api/admin/withdrawals?state=requested${query}`);
  const all = (await queue('')).body;
  const risk = {
    votes: 5,
    verified: 0,
    excluded: 0,
    voteDays: expect.toBeOneOf([1, 2]),
    votesPerMinute: expect.any(Number),
    sameNetwork: 1,
    equalVotes: 0.6,
  };
  expect(all.map((one) => one.risk)).toEqual([
    { ...risk, standing: 'standing' },
    { ...risk, standing: 'waiting' },
  ]);
  expect(all[0]?.risk.votesPerMinute).toBeGreaterThan(0);
  const standing = await queue('&standing=standing');
  expect([standing.body.map(({ userId }) => userId), standing.headers.get('x-total-count')]).toEqual([[user.id], '1']);
  expect((await queue('&standing=waiting')).body.map(({ userId }) => userId)).toEqual([twin.id]);
  expect((await queue('&standing=no_standing')).body).toEqual([]);
});

test('a wallet that is no longer read counts by the decisions about its votes: one excluded vote is enough [R14 R38]', async () => {
  const projects = await insertProjects(db, 3);
  const users = [await newUser(server), await newUser(server), await newUser(server), await newUser(server)];
  const [kept, excluded, aside, back] = users.map(({ id }) => id);
  for (const user of users) for (const id of projects) await vote(user, id);
  // They were read long ago, when they held enough; since then the site was read on more than seven days.
  await giveStanding(
    db,
    users.map(({ id }) => id),
  );
  await sql`UPDATE voter_standing SET read_on = read_on - 30`.execute(db);
  await sql`INSERT INTO standing_days (day) SELECT (now() AT TIME ZONE 'UTC')::date - n FROM generate_series(1, 10) n`.execute(
    db,
  );
  const decided = (userId: number | undefined, state: string) =>
    sql`INSERT INTO vote_decisions (user_id, project_id, period, cast_at, state, days_read, days_held)
      SELECT user_id, project_id, period, created_at, CASE WHEN project_id = ${projects[0]} THEN ${state} ELSE 'verified' END::vote_state, 35, 20
      FROM votes WHERE user_id = ${userId} AND project_id <> ${projects[2]}`.execute(db);
  await decided(kept, 'verified');
  await decided(excluded, 'no_standing');
  await decided(aside, 'verified');
  await db
    .insertInto('votesSetAside')
    .values({
      userId: aside ?? 0,
      projectId: projects[1] ?? 0,
      reason: 'rhythm',
      detail: 'Alike',
      actor: 'rhythm rule',
    })
    .execute();
  await refreshVoterStates(db, 7);
  for (const one of users) {
    await grantTokens(db, one.id, 100);
    await one.post('/api/withdrawals', { userId: one.id, walletAddress: one.address, tokenAmount: 60 });
  }
  const panel = await signInAsAdmin(server);
  const queue = (await panel.get<AdminWithdrawal[]>('/api/admin/withdrawals?state=requested')).body;
  expect(queue.map(({ userId, risk }) => [userId, risk.standing, risk.verified, risk.excluded])).toEqual([
    [kept, 'standing', 2, 0],
    [excluded, 'waiting', 1, 1],
    [aside, 'waiting', 1, 1],
    [back, 'waiting', 0, 0],
  ]);
  const payable = await panel.get<AdminWithdrawal[]>('/api/admin/withdrawals?state=requested&standing=standing');
  expect(payable.body.map(({ userId }) => userId)).toEqual([kept]);
});
