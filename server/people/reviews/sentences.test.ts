import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { SENTENCE_COST_TOKENS } from '#shared/constants.ts';
import type { Review } from '#shared/contract/reviews.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { beginPeriod, grantTokens, insertProject } from '#lab/testing/builders.ts';
import { castVote, Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { setStanding } from '#lab/testing/record.ts';
import { IS_BURN } from '#server/books/opinions.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';

const server = await createTestApp({ undoWindowMs: 60_000 });
const { db } = server.services;
const visitor = new Client(server.url);

const say = (user: TestUser, projectId: number, content: string) =>
  user.post<Review & { error: string; field?: string }>(`/api/projects/${projectId}/reviews`, {
    userId: user.id,
    content,
    isSentence: true,
  });
const balanceOf = async (user: TestUser) =>
  (await db.selectFrom('userStats').select('balance').where('userId', '=', user.id).executeTakeFirstOrThrow()).balance;

/** A voter with standing, Snaps, and a vote whose result was seen. */
async function voter(projectId: number, { snaps = 500, standing = true } = {}): Promise<TestUser> {
  const user = await newUser(server);
  await castVote(user, projectId);
  await user.post(`/api/votes/${projectId}/result`, {});
  await grantTokens(db, user.id, snaps);
  if (standing) await setStanding(db, user.id, 'standing');
  return user;
}

describe('sentences [R89]', () => {
  test('a sentence burns 100 Snaps once, even if it is sent twice, is listed with the reviews, and counts as burned', async () => {
    const projectId = await insertProject(db);
    const user = await voter(projectId);
    const before = await balanceOf(user);
    const burned = async () => {
      const { rows } = await sql<{
        sum: number;
      }>`SELECT -sum(amount)::bigint AS sum FROM token_ledger WHERE ${IS_BURN}`.execute(db);
      return rows[0]?.sum ?? 0;
    };
    const burnedBefore = await burned();
    const results = await Promise.all(
      [1, 2, 3].map(() => say(user, projectId, '  The team answers every question.\n')),
    );
    expect(results.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409']);
    expect(await balanceOf(user)).toBe(before - SENTENCE_COST_TOKENS);
    const { body } = await visitor.get<Review[]>(`/api/projects/${projectId}/reviews`);
    expect(body).toMatchObject([{ content: 'The team answers every question.', isSentence: true }]);
    expect(await findDifferences(db)).toEqual([]);
    expect((await burned()) - burnedBefore).toBe(SENTENCE_COST_TOKENS);
  });

  test('a sentence can be written again in the next listing period, after a vote in it', async () => {
    const projectId = await insertProject(db);
    const user = await voter(projectId);
    expect((await say(user, projectId, 'Good team')).status).toBe(201);
    await beginPeriod(db, projectId);
    expect(await say(user, projectId, 'Still good')).toMatchObject({ status: 409, body: { error: 'vote_first' } });
    await castVote(user, projectId);
    await user.post(`/api/votes/${projectId}/result`, {});
    expect((await say(user, projectId, 'Still good')).status).toBe(201);
  });

  test.each<[what: string, options: { snaps?: number; standing?: boolean }, status: number, error: string]>([
    ['without standing', { standing: false }, 403, 'no_standing'],
    ['with too few Snaps', { snaps: 80 }, 409, 'insufficient_tokens'],
  ])('a sentence of a voter %s is rejected, and burns nothing', async (_what, options, status, error) => {
    const projectId = await insertProject(db);
    const user = await voter(projectId, options);
    const before = await balanceOf(user);
    expect(await say(user, projectId, 'Good team')).toMatchObject({ status, body: { error } });
    expect(await balanceOf(user)).toBe(before);
  });

  test("a sentence is rejected before its writer may see the result, and about the writer's own project", async () => {
    const projectId = await insertProject(db);
    const user = await newUser(server);
    await castVote(user, projectId);
    await grantTokens(db, user.id, 500);
    await setStanding(db, user.id, 'standing');
    expect(await say(user, projectId, 'Good team')).toMatchObject({ status: 409, body: { error: 'vote_first' } });
    const own = await insertProject(db, { ownerId: user.id });
    expect(await say(user, own, 'Good team')).toMatchObject({ status: 403, body: { error: 'own_project' } });
  });

  test.each([
    ['a disguised host', 'All of it on frog。io'],
    ['four marks on a letter', `e${'\u0323'.repeat(4)}`],
    ['81 characters', 'x'.repeat(81)],
    ['nothing', '  \n '],
  ])('a sentence with %s is rejected', async (_what, content) => {
    const projectId = await insertProject(db);
    const user = await voter(projectId);
    expect(await say(user, projectId, content)).toMatchObject({ status: 400, body: { field: 'content' } });
  });

  test('a sentence is one line of up to 80 characters in any script', async () => {
    const projectId = await insertProject(db);
    const user = await voter(projectId);
    expect((await say(user, projectId, '蛙'.repeat(80))).status).toBe(201);
    const { rows } = await sql<{ period: number }>`SELECT period FROM reviews WHERE project_id = ${projectId}`.execute(
      db,
    );
    expect(rows).toEqual([{ period: 1 }]);
  });
});
