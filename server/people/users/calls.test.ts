import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CallSummary, VoteHistoryItem } from '#shared/contract/users.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, setProject } from '#lab/testing/builders.ts';
import { castVote, newUser, type TestUser } from '#lab/testing/client.ts';
import { ageVotes } from '#lab/testing/opinions.ts';
import { letStand } from '#lab/testing/standing.ts';

const server = await createTestApp();
const { db } = server.services;

type Counts = [bullish: number, bearish: number];

/** Verified votes at the end of a day, and now. */
async function storeFigures(projectId: number, daysAgo: number, before: Counts, now: Counts): Promise<void> {
  await sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish)
    VALUES (${projectId}, (now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int, 0, 0, 0, ${before[0]}, ${before[1]})`.execute(
    db,
  );
  await sql`INSERT INTO verified_stats (project_id, bullish, bearish) VALUES (${projectId}, ${now[0]}, ${now[1]})
    ON CONFLICT (project_id) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish`.execute(db);
}

async function call(
  user: TestUser,
  voteType: 'bullish' | 'bearish',
  before: Counts,
  now: Counts,
  daysAgo = 10,
): Promise<number> {
  const projectId = await insertProject(db, { bullish: 0 });
  expect((await castVote(user, projectId, voteType)).status).toBe(200);
  await storeFigures(projectId, daysAgo + 2, before, now);
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
const counts = ([bullish, bearish]: Counts) => ({ bullish, bearish });

test('each own vote has the verified votes before its day and now, and which way they moved [R90]', async () => {
  const user = await newUser(server);
  const right = await call(user, 'bearish', [71, 29], [52, 48]);
  const wrong = await call(user, 'bullish', [71, 29], [52, 48]);
  const level = await call(user, 'bullish', [50, 50], [500, 500]);
  const few = await call(user, 'bullish', [5, 1], [52, 48]);
  await ageVotes(db, user.id, '10 days');
  // Figures of the day of the vote and later ones are not those before it.
  await sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish)
    SELECT ${right}, (now() AT TIME ZONE 'UTC')::date - n, 0, 0, 0, 99, 1 FROM generate_series(9, 10) n`.execute(db);
  expect(await callsOf(user)).toEqual(
    new Map([
      [right, { before: counts([71, 29]), now: counts([52, 48]), move: 'toward' }],
      [wrong, { before: counts([71, 29]), now: counts([52, 48]), move: 'away' }],
      [level, { before: counts([50, 50]), now: counts([500, 500]), move: 'level' }],
      [few, { before: counts([5, 1]), now: counts([52, 48]), move: null }],
    ]),
  );
  expect(await summaryOf(user)).toEqual({ toward: 1, moved: 2, week: { bullish: 0, bearish: 0 } });
});

test('a vote counts as a call after 7 days, and its week has it before [R90]', async () => {
  const user = await newUser(server);
  const projectId = await call(user, 'bearish', [71, 29], [52, 48], 8);
  await ageVotes(db, user.id, '6 days 23 hours');
  expect((await callsOf(user)).get(projectId)).toMatchObject({ move: null });
  expect(await summaryOf(user)).toEqual({ toward: 0, moved: 0, week: { bullish: 0, bearish: 1 } });
  await ageVotes(db, user.id, '2 hours');
  expect(await summaryOf(user)).toEqual({ toward: 1, moved: 1, week: { bullish: 0, bearish: 0 } });
});

test('own votes are left out of both figures, so that a verified voter moves no own call [R90]', async () => {
  const user = await newUser(server);
  const projectId = await call(user, 'bullish', [5, 6], [6, 6]);
  await ageVotes(db, user.id, '10 days');
  await letStand(db, user.id);
  const own = { before: counts([5, 6]), now: counts([5, 6]), move: 'level' };
  expect((await callsOf(user)).get(projectId)).toEqual(own);
  expect(await summaryOf(user)).toMatchObject({ toward: 0, moved: 0 });
});

test('a changed vote is a call from its change on, without the vote before it [R57 R90]', async () => {
  const user = await newUser(server);
  const projectId = await call(user, 'bullish', [71, 30], [52, 49], 10);
  await ageVotes(db, user.id, '30 days');
  await letStand(db, user.id);
  expect((await user.send('PUT', `/api/votes/${projectId}`, { voteType: 'bearish' })).status).toBe(200);
  await ageVotes(db, user.id, '10 days');
  const move = { before: counts([70, 30]), now: counts([52, 48]), move: 'toward' };
  expect((await callsOf(user)).get(projectId)).toEqual(move);
});

test('leaves out votes that may be undone, about an earlier identity, or on a hidden project [R59 R60 R90]', async () => {
  const user = await newUser(server);
  const hidden = await call(user, 'bearish', [71, 29], [52, 48]);
  const renamed = await call(user, 'bearish', [71, 29], [52, 48]);
  await ageVotes(db, user.id, '10 days');
  await setProject(db, hidden, { hiddenAt: sql`now()` });
  await setProject(db, renamed, { name: 'Another Name' });
  const fresh = await call(user, 'bearish', [71, 29], [52, 48]);
  const calls = await callsOf(user);
  expect([hidden, renamed, fresh].map((id) => calls.get(id))).toEqual([null, null, null]);
  expect(await summaryOf(user)).toMatchObject({ toward: 0, moved: 0 });
});
