import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { NOTICES_KEPT } from '#shared/constants.ts';
import type { Notice } from '#shared/contract/notices.ts';
import { tellExpiring } from './notify-expiring.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject, slugOf } from '#lab/testing/builders.ts';
import { insertExcludedVote } from '#lab/testing/standing.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { insertNotices } from '#lab/testing/lists.ts';
import { recordNotices } from '#server/books/notices.ts';

const server = await createTestApp();
const { db } = server.services;

interface NoticeList {
  unread: number;
  notices: Notice[];
}
/** The user's notices once all events have reached the server: notices come from actions of others. */
async function read(user: TestUser, query = ''): Promise<NoticeList> {
  await server.allNotified();
  return (await user.get<NoticeList>(`/api/users/${user.id}/notices${query}`)).body;
}
const markRead = (user: TestUser, upTo: number) =>
  user.post<{ unread: number }>(`/api/users/${user.id}/notices/read`, { upTo });
const notice = (userId: number, text: string) => ({ userId, kind: 'review' as const, text, link: null });

test('a review notifies the project’s owner, a reply the review’s author, with the place that shows them [R51]', async () => {
  const [owner, reviewer] = [await newUser(server), await newUser(server)];
  await grantTokens(db, reviewer.id, 10_000);
  const project = await insertProject(db, { ownerId: owner.id, name: 'Quiet Bank' });
  const slug = await slugOf(db, project);
  expect(await read(owner)).toEqual({ unread: 0, notices: [] });
  const posted = await reviewer.post<{ id: number }>(`/api/projects/${project}/reviews`, {
    userId: reviewer.id,
    content: 'Good',
  });
  const link = `/projects/${slug}#review-${posted.body.id}`;
  expect(await read(owner)).toMatchObject({
    unread: 1,
    notices: [{ kind: 'review', text: 'Quiet Bank has a new review', link, readAt: null }],
  });
  const reply = (content: string) => owner.send('PUT', `/api/reviews/${posted.body.id}/reply`, { content });
  await reply('Thanks');
  await reply('Thank you');
  const expected = { kind: 'reply', text: 'Quiet Bank replied to your review', link };
  expect(await read(reviewer)).toMatchObject({ unread: 1, notices: [expected] });
  const other = { kind: 'reply', text: 'Another bank replied', link: '/projects/another#review-1' } as const;
  await recordNotices(db, { userId: reviewer.id, ...other });
  // Deleting a reply deletes its notice, so that replies cannot fill a user's list.
  await owner.send('DELETE', `/api/reviews/${posted.body.id}/reply`);
  expect(await read(reviewer)).toMatchObject({ unread: 1, notices: [other] });
  await reply('Once more');
  expect((await read(reviewer)).notices).toHaveLength(2);
});

test('an answered appeal notifies the voter [R51 R39]', async () => {
  const panel = await signInAsAdmin(server);
  const user = await newUser(server);
  await insertExcludedVote(db, user.id);
  const { body } = await user.post<{ id: number }>('/api/appeals', { text: 'I am no bot' });
  await panel.post(`/api/admin/appeals/${body.id}/answer`, { answer: 'Right' });
  expect(await read(user)).toMatchObject({ unread: 1, notices: [{ kind: 'appeal_answered', link: '/portfolio' }] });
});

describe('reading notices [R51]', () => {
  test("reading marks the user's own notices that were seen, and none that came later", async () => {
    const [user, other] = [await newUser(server), await newUser(server)];
    await recordNotices(db, notice(user.id, 'One'), notice(other.id, 'Theirs'), notice(user.id, 'Two'));
    const seen = (await read(user)).notices[0]?.id ?? 0;
    await recordNotices(db, notice(user.id, 'Three'));
    expect((await markRead(user, seen)).body).toEqual({ unread: 1 });
    const { unread, notices } = await read(user);
    expect([unread, notices.map(({ text, readAt }) => [text, readAt !== null])]).toEqual([
      1,
      [
        ['Three', false],
        ['Two', true],
        ['One', true],
      ],
    ]);
    expect(await read(other)).toMatchObject({ unread: 1 });
  });

  test('a user keeps the newest 200 notices', async () => {
    const [user, other] = [await newUser(server), await newUser(server)];
    await insertNotices(db, user.id, NOTICES_KEPT);
    await insertNotices(db, other.id, 3);
    await Promise.all(['A', 'B', 'C'].map((text) => recordNotices(db, notice(user.id, text), notice(other.id, text))));
    await recordNotices(db, notice(user.id, 'Last'));
    const { unread, notices } = await read(user, `?limit=${NOTICES_KEPT}`);
    expect([unread, notices.length]).toEqual([NOTICES_KEPT, NOTICES_KEPT]);
    expect(notices.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Last', 'A', 'B', 'C', 'Notice 200', 'Notice 5']),
    );
    expect(await read(other)).toMatchObject({ unread: 6 });
  });
});

describe('listings that end within ten days [R51 R96]', () => {
  const about = async (user: TestUser): Promise<number> =>
    (await read(user)).notices.filter(({ kind }) => kind === 'expiry').length;
  const endsIn = (project: number, interval: string) =>
    sql`UPDATE projects SET expires_at = now() + ${interval}::interval WHERE id = ${project}`.execute(db);

  test('the owner of an expiring listing is notified once, however often the job runs, and again after a renewal', async () => {
    const owner = await newUser(server);
    const project = await insertProject(db, { ownerId: owner.id, name: 'Short Bank' });
    await endsIn(project, '10 days 1 minute');
    await tellExpiring(server.services);
    expect(await about(owner)).toBe(0);
    await endsIn(project, '9 days 23 hours');
    await Promise.all([1, 2].map(() => tellExpiring(server.services)));
    await tellExpiring(server.services);
    expect(await read(owner)).toMatchObject({
      unread: 1,
      notices: [
        {
          kind: 'expiry',
          link: `/projects/${await slugOf(db, project)}/insights?renew`,
          text: expect.stringMatching(/^The listing of Short Bank ends within 10 days\./),
        },
      ],
    });
    // The end is changed by hand: still the same listing period.
    await endsIn(project, '9 days 1 hour');
    await tellExpiring(server.services);
    expect(await about(owner)).toBe(1);
    await sql`UPDATE expiry_notices SET expires_at = expires_at - interval '31 days' WHERE project_id = ${project}`.execute(
      db,
    );
    await tellExpiring(server.services);
    expect(await about(owner)).toBe(2);
  });

  test('the owner of a listing that is over or hidden is not notified', async () => {
    const owner = await newUser(server);
    const [over, hidden] = [
      await insertProject(db, { ownerId: owner.id, expiresInDays: -1 }),
      await insertProject(db, { ownerId: owner.id, hidden: true }),
    ];
    await endsIn(hidden, '1 day');
    await tellExpiring(server.services);
    expect([await about(owner), over]).toEqual([0, over]);
  });
});
