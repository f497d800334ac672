import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CallSummary, VoteHistoryItem } from '#shared/contract/users.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertProjects, setProject } from '#lab/testing/builders.ts';
import { castVote, newUser, type TestUser } from '#lab/testing/client.ts';
import { ageVotes } from '#lab/testing/opinions.ts';
import { letStand } from '#lab/testing/standing.ts';

const server = await createTestApp();
const { db } = server.services;

type Counts = [bullish: number, bearish: number];
const counts = ([bullish, bearish]: Counts) => ({ bullish, bearish });

async function storeDay(projectId: number, daysAgo: number, [bullish, bearish]: Counts): Promise<void> {
  await sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish)
    VALUES (${projectId}, (now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int, 0, 0, 0, ${bullish}, ${bearish})`.execute(
    db,
  );
}

interface Told {
  before?: Counts;
  /** Two days before today. */
  seen?: Counts;
  now: Counts;
}

/** A vote on a project with these verified votes; `before` is of twelve days ago. */
async function call(user: TestUser, voteType: 'bullish' | 'bearish', { before, seen, now }: Told): Promise<number> {
  const projectId = await insertProject(db, { bullish: 0 });
  expect((await castVote(user, projectId, voteType)).status).toBe(200);
  if (before) await storeDay(projectId, 12, before);
  if (seen) await storeDay(projectId, 2, seen);
  await sql`INSERT INTO verified_stats (project_id, bullish, bearish) VALUES (${projectId}, ${now[0]}, ${now[1]})
    ON CONFLICT (project_id) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish`.execute(db);
  return projectId;
}

const callsOf = async (user: TestUser) =>
  new Map(
    (await user.get<VoteHistoryItem[]>(`/api/users/${user.id}/votes`)).body.map(({ project, call: found }) => [
      project.id,
      found,
    ]),
  );
const summaryOf = async (user: TestUser) => (await user.get<CallSummary>(`/api/users/${user.id}/calls`)).body;

test('each own vote has the verified votes before its day and on the last closed one, and whether it is with the majority [R90 R94]', async () => {
  const user = await newUser(server);
  const right = await call(user, 'bearish', { before: [71, 29], now: [48, 52] });
  const wrong = await call(user, 'bullish', { before: [71, 29], now: [48, 52] });
  const early = await call(user, 'bullish', { before: [5, 1], now: [52, 48] });
  const first = await call(user, 'bullish', { now: [52, 48] });
  const few = await call(user, 'bullish', { before: [71, 29], now: [9, 0] });
  await ageVotes(db, user.id, '10 days');
  // Figures of the day of the vote and later ones are not those before it.
  for (const daysAgo of [9, 10]) await storeDay(right, daysAgo, [99, 1]);
  const calls = await callsOf(user);
  const told = [right, wrong, early, first, few].map((id) => {
    const { before, now, isWithMajority } = calls.get(id) ?? {};
    return [before, now, isWithMajority];
  });
  expect(told).toEqual([
    [counts([71, 29]), counts([48, 52]), true],
    [counts([71, 29]), counts([48, 52]), false],
    [counts([5, 1]), counts([52, 48]), true],
    [counts([0, 0]), counts([52, 48]), true],
    [counts([71, 29]), counts([9, 0]), null],
  ]);
  expect(await summaryOf(user)).toMatchObject({
    calls: 4,
    withMajority: 3,
    early: 2,
    given: 5,
  });
});

test('a vote counts as a call after 7 days [R90]', async () => {
  const user = await newUser(server);
  const projectId = await call(user, 'bearish', { now: [48, 52] });
  await ageVotes(db, user.id, '6 days 23 hours');
  expect((await callsOf(user)).get(projectId)).toMatchObject({ isWithMajority: null });
  expect(await summaryOf(user)).toMatchObject({ calls: 0 });
  await ageVotes(db, user.id, '2 hours');
  expect(await summaryOf(user)).toMatchObject({ calls: 1, withMajority: 1 });
});

test('each day of this week and the four before it counts the opinions given on it, from Monday on [R98]', async () => {
  const user = await newUser(server);
  const [first = 0, second = 0, third = 0, old = 0] = await insertProjects(db, 4);
  for (const id of [first, second, third, old]) await castVote(user, id, id === second ? 'bearish' : 'bullish');
  const monday = new Date(Date.now());
  monday.setUTCHours(0, 0, 0, 0);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7) - 28);
  const moveTo = (id: number, minutes: number) =>
    ageVotes(db, user.id, `${Date.now() - monday.getTime() - minutes * 60_000} milliseconds`, id);
  await moveTo(first, 1);
  await moveTo(second, 1_439);
  await moveTo(old, -1);
  const { days } = await summaryOf(user);
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  expect(days).toEqual([
    { day: dayOf(monday.getTime()), bullish: 1, bearish: 1 },
    { day: dayOf(Date.now()), bullish: 1, bearish: 0 },
  ]);
});

test("a voter's own votes are left out of the figures, so that a call is compared with other voters only [R90]", async () => {
  const user = await newUser(server);
  const projectId = await call(user, 'bullish', { before: [5, 6], seen: [6, 6], now: [7, 6] });
  await ageVotes(db, user.id, '10 days');
  await letStand(db, user.id);
  expect((await callsOf(user)).get(projectId)).toEqual({
    before: counts([5, 6]),
    // Its voter was here last on the day of the vote.
    seen: counts([5, 6]),
    now: counts([6, 6]),
    isWithMajority: null,
  });
});

test('a changed vote is a call from its change on, without the vote before it [R57 R90]', async () => {
  const user = await newUser(server);
  const projectId = await call(user, 'bullish', { now: [52, 49] });
  await ageVotes(db, user.id, '30 days');
  await storeDay(projectId, 12, [71, 30]);
  await letStand(db, user.id);
  expect((await user.send('PUT', `/api/votes/${projectId}`, { voteType: 'bearish' })).status).toBe(200);
  await ageVotes(db, user.id, '10 days');
  const changed = { before: counts([70, 30]), now: counts([52, 48]), isWithMajority: false };
  expect((await callsOf(user)).get(projectId)).toMatchObject(changed);
  expect((await user.send('PUT', `/api/votes/${projectId}`, { voteType: 'bullish' })).status).toBe(200);
  await ageVotes(db, user.id, '2 minutes');
  // The last closed day has the vote before the second change.
  await sql`INSERT INTO closed_days (day, until) VALUES ((now() AT TIME ZONE 'UTC')::date - 1, now() - interval '1 hour')`.execute(
    db,
  );
  expect((await callsOf(user)).get(projectId)).toMatchObject({ now: counts([52, 48]) });
  await db.deleteFrom('closedDays').execute();
});

test('leaves out votes that may be undone, about an earlier identity, or on a hidden project [R59 R60 R90]', async () => {
  const user = await newUser(server);
  const hidden = await call(user, 'bearish', { now: [48, 52] });
  const renamed = await call(user, 'bearish', { now: [48, 52] });
  await ageVotes(db, user.id, '10 days');
  await setProject(db, hidden, { hiddenAt: sql`now()` });
  await setProject(db, renamed, { name: 'Another Name' });
  const fresh = await call(user, 'bearish', { now: [48, 52] });
  const calls = await callsOf(user);
  expect([hidden, renamed, fresh].map((id) => calls.get(id))).toEqual([null, null, null]);
  expect(await summaryOf(user)).toMatchObject({ calls: 0, given: 0 });
});

test('calls that moved by five points since the day of the last vote come first, the largest that can be changed before others [R95]', async () => {
  const user = await newUser(server);
  const small = await call(user, 'bullish', { seen: [50, 50], now: [54, 46] });
  const moved = await call(user, 'bullish', { seen: [50, 50], now: [56, 44] });
  const fell = await call(user, 'bullish', { seen: [70, 30], now: [40, 60] });
  const over = await call(user, 'bullish', { seen: [90, 10], now: [40, 60] });
  await setProject(db, over, { expiresAt: sql`now() - interval '1 hour'` });
  await ageVotes(db, user.id, '1 day');
  const today = await call(user, 'bullish', { seen: [50, 50], now: [90, 10] });
  const summary = await summaryOf(user);
  const { rows } = await sql<{ day: string }>`SELECT ((now() AT TIME ZONE 'UTC')::date - 1)::text AS day`.execute(db);
  expect(summary).toMatchObject({ since: rows[0]?.day, given: 4, moved: 3 });
  expect(summary.movedVotes.map(({ project }) => project.id)).toEqual([fell, moved, over]);
  expect(summary.movedVotes[0]?.call).toMatchObject({ seen: counts([70, 30]), now: counts([40, 60]) });
  expect([small, today].filter((id) => summary.movedVotes.some(({ project }) => project.id === id))).toEqual([]);
});

test('a newcomer has no moved calls, since they saw no figure before today [R95]', async () => {
  const user = await newUser(server);
  await call(user, 'bullish', { seen: [50, 50], now: [90, 10] });
  expect(await summaryOf(user)).toMatchObject({ since: null, given: 0, moved: 0, movedVotes: [] });
});
