import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Review } from '#shared/contract/reviews.ts';
import type { UserStats } from '#shared/contract/types.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject, slugOf } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';

const server = await createTestApp();
const { db } = server.services;

type Posted = Review & { userStats: UserStats; error: string; message: string; field?: string };
const post = (user: TestUser, project: number | string, content: unknown) =>
  user.post<Posted>(`/api/projects/${project}/reviews`, { userId: user.id, content });
const list = (project: number | string) => new Client(server.url).get<Review[]>(`/api/projects/${project}/reviews`);

async function reviewer(tokens = 10_000): Promise<TestUser> {
  const user = await newUser(server);
  await grantTokens(db, user.id, tokens);
  return user;
}

const balanceOf = async (user: TestUser) =>
  (await user.get<UserStats>(`/api/users/${user.id}/stats`)).body.tokenBalance;

test('a review burns 10000 Snaps, leaves a ledger row and a line of activity, and is shown first [S3.6 S7.6 S9.7]', async () => {
  const user = await reviewer(25_000);
  const project = await insertProject(db, { name: 'Walrus Bank' });
  const response = await post(user, project, '  Solid team,\r\nships weekly 🦈  ');
  expect(response.status).toBe(201);
  expect(response.body).toMatchObject({
    id: expect.any(Number),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    content: 'Solid team,\nships weekly 🦈',
    user: { username: null, walletAddress: user.address, avatarUrl: null },
    userStats: { tokenBalance: 15_000, tokensEarned: 10 },
  });
  await post(user, project, 'Second thoughts');
  expect((await list(project)).body.map((review) => review.content)).toEqual([
    'Second thoughts',
    'Solid team,\nships weekly 🦈',
  ]);
  const ledger = await db
    .selectFrom('tokenLedger')
    .select(['ref', 'amount'])
    .where('userId', '=', user.id)
    .where('kind', '=', 'review_burn')
    .orderBy('ref')
    .execute();
  expect(ledger).toMatchObject([{ ref: response.body.id, amount: -10_000 }, { amount: -10_000 }]);
  const activity = await db.selectFrom('activity').selectAll().where('userId', '=', user.id).execute();
  expect(activity).toHaveLength(2);
  expect(activity[0]).toMatchObject({
    kind: 'review_posted',
    tokens: -10_000,
    text: 'Review of Walrus Bank posted: 10000 Snaps have been burned',
  });
  expect(await findDifferences(db)).toEqual([]);
});

test('16 reviews at once with tokens for one: exactly one is posted and paid [S5.6 R15]', async () => {
  const user = await reviewer(19_990);
  const project = await insertProject(db);
  const responses = await Promise.all(Array.from({ length: 16 }, (_, i) => post(user, project, `Review ${i}`)));
  expect(responses.filter((response) => response.status === 201)).toHaveLength(1);
  const refused = responses.filter((response) => response.status === 409);
  expect(refused).toHaveLength(15);
  expect(refused[0]?.body).toMatchObject({
    error: 'insufficient_tokens',
    message: 'You need at least 10000 tokens to post a review. Vote on projects to earn tokens!',
  });
  expect((await list(project)).body).toHaveLength(1);
  expect(await balanceOf(user)).toBe(9_990);
  expect(await findDifferences(db)).toEqual([]);
});

describe('review texts [S5.6 R15]', () => {
  test.each([
    ['200 emoji', '🦑'.repeat(200)],
    ['200 letters in a right-to-left script', 'ש'.repeat(200)],
    ['HTML, kept as text', '<script>alert(1)</script>'],
    ['spaces around 200 letters', `   ${'x'.repeat(200)}\n\n`],
  ])('a review of %s is posted', async (_name, content) => {
    const project = await insertProject(db);
    const response = await post(await reviewer(), project, content);
    expect(response.status).toBe(201);
    expect(response.body.content).toBe(content.trim());
  });

  test.each([
    ['nothing', '', 'Review cannot be empty. Please write something before submitting'],
    ['white space', ' \n\t ', 'Review cannot be empty. Please write something before submitting'],
    ['invisible characters', '\u200b\u202e', 'Review cannot be empty. Please write something before submitting'],
    ['201 emoji', '🦑'.repeat(201), 'Review too long. Maximum 200 characters allowed'],
  ])('a review of %s is refused with its field and burns nothing', async (_name, content, message) => {
    const user = await reviewer();
    const response = await post(user, await insertProject(db), content);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: 'invalid_field', field: 'content', message });
    expect(await balanceOf(user)).toBe(10_000);
  });
});

test("refuses a review of one's own project with 403, and burns nothing [R15]", async () => {
  const user = await reviewer();
  const project = await insertProject(db, { ownerId: user.id });
  const response = await post(user, project, 'Best project ever');
  expect(response.status).toBe(403);
  expect(response.body.message).toBe('You cannot review your own project');
  expect(await balanceOf(user)).toBe(10_000);
});

test('reviews work by id and slug; unknown and hidden projects are 404 and burn nothing [S7.5 S7.6]', async () => {
  const user = await reviewer();
  const project = await insertProject(db);
  const slug = await slugOf(db, project);
  const hidden = await insertProject(db, { hidden: true });
  for (const ref of [hidden, 'no-such-project', 999_999]) {
    expect((await post(user, ref, 'Hello')).status).toBe(404);
    expect((await list(ref)).status).toBe(404);
  }
  expect((await post(user, slug, 'By slug')).status).toBe(201);
  expect((await list(project)).body).toHaveLength(1);
  const bySlug = await list(slug);
  expect(bySlug.body).toHaveLength(1);
  // Reviews of this project alone.
  expect(bySlug.headers.get('x-total-count')).toBe('1');
});

test('an expired project can still be reviewed [S4.6]', async () => {
  const response = await post(await reviewer(), await insertProject(db, { expiresInDays: -3 }), 'It was good');
  expect(response.status).toBe(201);
});

test('a hidden review is not shown [S7.5]', async () => {
  const project = await insertProject(db);
  const user = await reviewer(20_000);
  const bad = await post(user, project, 'Spam');
  await post(user, project, 'Ham');
  await db
    .updateTable('reviews')
    .set({ hiddenAt: sql`now()`, hiddenReason: 'spam' })
    .where('id', '=', bad.body.id)
    .execute();
  expect((await list(project)).body.map((review) => review.content)).toEqual(['Ham']);
});

describe('the owner’s reply [R51]', () => {
  const owned = async () => {
    const owner = await newUser(server);
    const project = await insertProject(db, { ownerId: owner.id });
    const author = await reviewer();
    const { id } = (await post(author, project, 'Solid')).body;
    return { owner, project, author, id };
  };
  const reply = (user: TestUser, id: number, content: unknown) =>
    user.send<Posted>('PUT', `/api/reviews/${id}/reply`, { content });
  const takeBack = (user: TestUser, id: number) => user.send('DELETE', `/api/reviews/${id}/reply`);
  const shown = async (project: number) => (await list(project)).body.map((review) => review.reply?.content ?? null);

  test('a reply is shown with the review immediately, can be changed and deleted, and is free', async () => {
    const { owner, project, id } = await owned();
    expect(await shown(project)).toEqual([null]);
    expect(await reply(owner, id, '  <b>Thank</b> you\r\n🦈 ')).toMatchObject({
      status: 200,
      body: { content: '<b>Thank</b> you\n🦈', createdAt: expect.stringMatching(/Z$/) },
    });
    expect(await shown(project)).toEqual(['<b>Thank</b> you\n🦈']);
    await reply(owner, id, 'Thanks');
    expect(await shown(project)).toEqual(['Thanks']);
    expect((await takeBack(owner, id)).status).toBe(200);
    expect(await shown(project)).toEqual([null]);
    expect((await takeBack(owner, id)).status).toBe(404);
    expect(await balanceOf(owner)).toBe(0);
  });

  test('only the owner may reply: 403 for the author, another user and another owner', async () => {
    const { project, author, id } = await owned();
    const { owner: stranger } = await owned();
    for (const user of [author, stranger, await newUser(server)]) {
      expect(await reply(user, id, 'Me')).toMatchObject({ status: 403, body: { error: 'not_owner' } });
      expect((await takeBack(user, id)).status).toBe(403);
    }
    expect(await shown(project)).toEqual([null]);
  });

  test('a reply needs a visible review: 404 for a hidden one, one of a hidden project, and a missing one', async () => {
    const { owner, project, id } = await owned();
    expect((await reply(owner, 999_999, 'Hi')).status).toBe(404);
    const hide = (table: 'reviews' | 'projects', of: number, hiddenAt: Date | null) =>
      db.updateTable(table).set({ hiddenAt }).where('id', '=', of).execute();
    await hide('reviews', id, new Date());
    expect((await reply(owner, id, 'Hi')).status).toBe(404);
    await hide('reviews', id, null);
    await hide('projects', project, new Date());
    expect((await reply(owner, id, 'Hi')).status).toBe(404);
    await hide('projects', project, null);
    expect((await reply(owner, id, 'Hi')).status).toBe(200);
  });
});
