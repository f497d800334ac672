import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { AuditEntry, ModeratedProject, ModeratedReview } from '#shared/contract/admin.ts';
import type { Notice } from '#shared/contract/notices.ts';
import type { ReportedSubject } from '#shared/contract/reports.ts';
import type { Review } from '#shared/contract/reviews.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject, insertProjects, insertUser } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { insertReviews } from '#lab/testing/lists.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { writeAudit } from '#server/books/audit.ts';

const server = await createTestApp();
const { db } = server.services;
const panel = await signInAsAdmin(server);

async function search(q: string): Promise<{ projects: ModeratedProject[]; reviews: ModeratedReview[] }> {
  const query = `?q=${encodeURIComponent(q)}`;
  const projects = await panel.get<ModeratedProject[]>(`/api/admin/moderation/projects${query}`);
  const reviews = await panel.get<ModeratedReview[]>(`/api/admin/moderation/reviews${query}`);
  return { projects: projects.body, reviews: reviews.body };
}

interface Told {
  kind: string;
  text: string;
}

describe('moderation [R33]', () => {
  test('a project is hidden from all users with a reason that rings its owner’s bell, and shown again [R78]', async () => {
    const [owner, visitor] = [await newUser(server), new Client(server.url)];
    const id = await insertProject(db, { ownerId: owner.id, name: 'Shady Coin' });
    const path = `/api/admin/projects/${id}/moderate`;
    expect((await panel.post(path, { hidden: true, reason: '' })).status).toBe(400);
    expect((await panel.post(path, { hidden: true, reason: ' \u200b ' })).status).toBe(400);
    expect((await visitor.get(`/api/projects/${id}`)).status).toBe(200);

    expect((await panel.post(path, { hidden: true, reason: 'Impersonates another project' })).status).toBe(200);
    expect((await visitor.get(`/api/projects/${id}`)).status).toBe(404);
    expect((await visitor.get<{ id: number }[]>('/api/projects')).body.some((one) => one.id === id)).toBe(false);
    const board = await visitor.get<{ id: number }[]>('/api/projects/leaderboard/all');
    expect(board.body.some((one) => one.id === id)).toBe(false);
    expect((await search('')).projects).toMatchObject([
      { id, name: 'Shady Coin', hiddenReason: 'Impersonates another project' },
    ]);

    expect((await panel.post(path, { hidden: false, reason: 'Cleared up' })).status).toBe(200);
    expect((await visitor.get(`/api/projects/${id}`)).status).toBe(200);
    expect((await search('')).projects).toEqual([]);
    const activity = await owner.get<Told[]>(`/api/users/${owner.id}/activity`);
    expect(activity.body).toMatchObject([
      { kind: 'project_unhidden', text: 'Your project Shady Coin is shown again: Cleared up' },
      { kind: 'project_hidden', text: 'Your project Shady Coin was hidden: Impersonates another project' },
    ]);
    const bell = await owner.get(`/api/users/${owner.id}/notices`);
    expect(bell.body).toMatchObject({
      unread: 2,
      notices: [
        { kind: 'listing_hidden', text: 'Your project Shady Coin is shown again: Cleared up', link: '/portfolio' },
        { kind: 'listing_hidden', text: 'Your project Shady Coin was hidden: Impersonates another project' },
      ],
    });
    const { body } = await panel.get<AuditEntry[]>('/api/admin/audit?q=project.hide');
    expect(body).toMatchObject([
      { detail: `Project ${id} (Shady Coin). Reason: Impersonates another project`, actor: panel.admin.address },
    ]);
  });

  test('a hidden project does not keep its name, and is not shown again next to another of that name', async () => {
    const [fake, real] = [await insertProject(db, { name: 'True Bank', hidden: true }), await insertProject(db)];
    const moderate = (id: number, hidden: boolean) =>
      panel.post(`/api/admin/projects/${id}/moderate`, { hidden, reason: 'Impersonation' });
    expect((await panel.admin.patch(`/api/projects/${real}/update`, { name: 'True  BANK' })).status).toBe(200);
    expect(await moderate(fake, false)).toMatchObject({ status: 409, body: { error: 'name_taken' } });
    expect((await moderate(real, true)).status).toBe(200);
    expect((await moderate(fake, false)).status).toBe(200);
    expect((await moderate(real, false)).status).toBe(409);
  });

  test('a review is hidden with a reason that its author reads, and shown again', async () => {
    const author = await newUser(server);
    await grantTokens(db, author.id, 10_000);
    const project = await insertProject(db, { name: 'Fair Swap' });
    const body = { userId: author.id, content: 'Buy my 100% safe course' };
    const review = await author.post<{ id: number }>(`/api/projects/${project}/reviews`, body);
    const critic = await newUser(server);
    await grantTokens(db, critic.id, 10_000);
    await critic.post(`/api/projects/${project}/reviews`, { userId: critic.id, content: 'Slow but honest' });
    const path = `/api/admin/reviews/${review.body.id}/moderate`;
    expect((await search('safe course')).reviews).toMatchObject([{ id: review.body.id, projectName: 'Fair Swap' }]);
    expect((await search('100% safe')).reviews).toHaveLength(1);
    expect((await search('100_ safe')).reviews).toEqual([]);
    expect((await search('')).reviews).toEqual([]);
    await panel.post(path, { hidden: true, reason: 'Advertising' });
    const list = () => new Client(server.url).get<unknown[]>(`/api/projects/${project}/reviews`);
    expect((await list()).body).toMatchObject([{ content: 'Slow but honest' }]);
    expect((await search('')).reviews).toMatchObject([{ id: review.body.id, hiddenReason: 'Advertising' }]);
    expect((await author.get<Told[]>(`/api/users/${author.id}/activity`)).body[0]).toMatchObject({
      kind: 'review_hidden',
      text: 'Your review of Fair Swap was hidden: Advertising',
    });
    await panel.post(path, { hidden: false, reason: 'A mistake' });
    expect((await list()).body).toHaveLength(2);
    expect((await search('')).reviews).toEqual([]);
  });

  test('moderation of missing content gets 404', async () => {
    const decision = { hidden: true, reason: 'x' };
    expect((await panel.post('/api/admin/projects/999999/moderate', decision)).status).toBe(404);
    expect((await panel.post('/api/admin/reviews/999999/moderate', decision)).status).toBe(404);
  });
});

test('the audit log is searched by all the words, newest first, a hundred at a time [R32 R33]', async () => {
  const who = { actor: '0xadmin', ip: '192.0.2.7' };
  for (let n = 1; n <= 130; n += 1)
    await writeAudit(db, who, {
      action: 'test',
      detail: `entry ${n} 50%_done`,
      outcome: n % 2 ? 'odd' : 'even',
      rowCount: n,
    });
  const read = (query: string) => panel.get<AuditEntry[]>(`/api/admin/audit?${query}`);
  const find = async (query: string) => (await read(query)).body;
  const { body: first, headers } = await read('q=test');
  expect(first).toHaveLength(100);
  expect(first[0]).toMatchObject({ detail: 'entry 130 50%_done', outcome: 'even', rowCount: 130, ip: '192.0.2.7' });
  const rest = await find(`q=test&cursor=${headers.get('x-next-cursor')}`);
  expect(rest.map(({ rowCount }) => rowCount)).toEqual(Array.from({ length: 30 }, (_, n) => 30 - n));
  expect(await find('q=entry%20odd%20192.0.2.7%2012')).toMatchObject(
    [129, 127, 125, 123, 121].map((rowCount) => ({ rowCount })),
  );
  // The words are literal, not patterns.
  expect(await find(`q=${encodeURIComponent('50%_done')}`)).toHaveLength(100);
  expect(await find(`q=${encodeURIComponent('5_%')}`)).toEqual([]);
  expect(await find(`q=${encodeURIComponent("'; DROP TABLE audit_log")}`)).toEqual([]);
});

test('the audit log takes details with any characters, shortened [R32]', async () => {
  const who = { actor: '0xadmin', ip: null };
  await writeAudit(db, who, {
    action: 'odd',
    detail: `NUL \u0000, half a pair \ud800, ${'x'.repeat(20_000)}`,
    outcome: '\u0000',
  });
  const { body } = await panel.get<AuditEntry[]>('/api/admin/audit?q=odd');
  expect(body[0]?.detail.length).toBeLessThan(10_100);
});

test('renaming a project while it is shown again does not deadlock [R33]', async () => {
  const id = await insertProject(db);
  const rename = (round: number) =>
    panel.admin.patch(`/api/projects/${id}/update`, { name: `Renamed while moderated ${round}` });
  const show = () => panel.post(`/api/admin/projects/${id}/moderate`, { hidden: false, reason: 'shown again' });
  for (let round = 0; round < 20; round += 1) {
    const responses = await Promise.all([rename(round), show(), show(), rename(round + 1000), show()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    // A listing changes ten times a day at most.
    await sql`UPDATE listing_versions SET created_at = created_at - interval '1 day'`.execute(db);
  }
});

interface Outcome {
  error: string;
  message: string;
  field?: string;
}
const report = (user: TestUser, subject: string, subjectId: number, reason = 'spam', text = '') =>
  user.post<Outcome>('/api/reports', { subject, subjectId, reason, text });

/** A project with a review and a reply, by others; ids of both. */
async function reviewed(
  name = 'Reported',
): Promise<{ project: number; review: number; owner: TestUser; author: number }> {
  const owner = await newUser(server);
  const author = await insertUser(db);
  const project = await insertProject(db, { ownerId: owner.id, name });
  await insertReviews(db, project, author, 1);
  const { id: review } = await db
    .selectFrom('reviews')
    .select('id')
    .where('projectId', '=', project)
    .executeTakeFirstOrThrow();
  await owner.send('PUT', `/api/reviews/${review}/reply`, { content: 'Thank you' });
  return { project, review, owner, author };
}

const open = async (subjectId: number, subject: string): Promise<ReportedSubject | undefined> => {
  const { body } = await panel.get<ReportedSubject[]>('/api/admin/reports?limit=500');
  return body.find((one) => one.subject === subject && one.subjectId === subjectId);
};
const noticesOf = async (user: TestUser): Promise<Notice[]> =>
  (await user.get<{ notices: Notice[] }>(`/api/users/${user.id}/notices`)).body.notices;

test('reports reach the queue by subject, with their notes, those that wait longest first [R51]', async () => {
  const { project, review, owner } = await reviewed('Fake Bank');
  const [ana, ben] = [await newUser(server), await newUser(server)];
  expect((await report(ana, 'review', review, 'abuse', ' Rude\u202e ')).status).toBe(201);
  expect((await report(ana, 'project', project, 'scam')).status).toBe(201);
  expect((await report(ben, 'project', project, 'impersonation', 'The real one is at…')).status).toBe(201);
  expect((await report(ben, 'reply', review, 'other', 'An advertisement')).status).toBe(201);
  const { body } = await panel.get<ReportedSubject[]>('/api/admin/reports');
  const own = body.filter(({ projectName }) => projectName === 'Fake Bank');
  expect(own.map(({ subject, subjectId, count }) => [subject, subjectId, count])).toEqual([
    ['review', review, 1],
    ['project', project, 2],
    ['reply', review, 1],
  ]);
  expect(own[0]).toMatchObject({ content: 'Review 1', texts: ['Rude'], reasons: { abuse: 1 }, hiddenAt: null });
  expect(own[1]).toMatchObject({ texts: ['The real one is at…'], reasons: { scam: 1, impersonation: 1 } });
  expect(own[2]).toMatchObject({ content: 'Thank you', author: owner.address });
});

describe('refused reports [R51]', () => {
  test('refuses a second report on the same subject, even by two simultaneous calls', async () => {
    const { project, review } = await reviewed();
    const user = await newUser(server);
    const statuses = (await Promise.all([1, 2, 3].map(() => report(user, 'review', review)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect((await report(user, 'review', review)).body).toMatchObject({ error: 'already_reported' });
    expect((await report(user, 'project', project)).status).toBe(201);
  });

  test('refuses more than 20 open reports of one person; resolved ones make room', async () => {
    const user = await newUser(server);
    const projects = await insertProjects(db, 22, { ownerId: await insertUser(db) });
    const [last = 0, first = 0, ...others] = projects;
    expect((await report(user, 'project', first)).status).toBe(201);
    for (const id of others.slice(0, 19)) expect((await report(user, 'project', id)).status).toBe(201);
    expect((await report(user, 'project', others[19] ?? 0)).body.error).toBe('too_many_reports');
    await panel.post('/api/admin/reports/dismiss', { subject: 'project', subjectId: first, reason: 'Fine' });
    expect((await report(user, 'project', last)).status).toBe(201);
  });

  test("refuses reports on the user's own content, hidden content or projects, and missing content", async () => {
    const { project, review, owner } = await reviewed();
    const user = await newUser(server);
    expect((await report(owner, 'project', project)).body.error).toBe('own_content');
    expect((await report(owner, 'reply', review)).body.error).toBe('own_content');
    // An owner asks for a review of the coin with a press, a team says which coin is its own (R72).
    const ask = (asking: TestUser, text = '') =>
      asking.post<{ error: string; field?: string }>('/api/reports', {
        subject: 'project',
        subjectId: project,
        reason: 'ownership',
        text,
      });
    const team = await newUser(server);
    expect((await ask(team)).body.field).toBe('text');
    for (const text of ['Ours is 0x2::sui::SUI', 'Once more'])
      expect((await ask(team, text)).body.error).toBe(text === 'Once more' ? 'already_reported' : undefined);
    expect((await ask(owner)).status).toBe(201);
    expect((await ask(owner)).body.error).toBe('already_reported');
    expect((await report(owner, 'review', review)).status).toBe(201);
    for (const subject of ['project', 'review', 'reply'])
      expect((await report(user, subject, 999_999)).status).toBe(404);
    await panel.post(`/api/admin/reviews/${review}/reply/moderate`, { hidden: true, reason: 'Advertising' });
    expect((await report(user, 'reply', review)).status).toBe(404);
    const other = await reviewed();
    await panel.post(`/api/admin/reviews/${other.review}/moderate`, { hidden: true, reason: 'Advertising' });
    expect((await report(user, 'reply', other.review)).status).toBe(404);
    await panel.post(`/api/admin/projects/${project}/moderate`, { hidden: true, reason: 'Scam' });
    for (const [subject, id] of [
      ['project', project],
      ['review', review],
    ] as const)
      expect((await report(user, subject, id)).status).toBe(404);
  });

  test('takes a report with a reason and without a text [R51]', async () => {
    const { project } = await reviewed();
    const user = await newUser(server);
    const { status } = await user.post('/api/reports', { subject: 'project', subjectId: project, reason: 'spam' });
    expect(status).toBe(201);
    expect(await open(project, 'project')).toBeDefined();
  });

  test.each([
    ['501 characters', { reason: 'spam', text: '🦑'.repeat(501) }],
    ['something else without a word', { reason: 'other', text: ' \u200b ' }],
    ['no reason of the list', { reason: 'mood', text: '' }],
    ['a thing that is none', { subject: 'user', reason: 'spam', text: '' }],
  ])('refuses the report: %s', async (_name, changes) => {
    const { project } = await reviewed();
    const user = await newUser(server);
    const { status } = await user.post('/api/reports', { subject: 'project', subjectId: project, ...changes });
    expect(status).toBe(400);
    expect(await open(project, 'project')).toBeUndefined();
  });
});

describe('resolving [R51 R33]', () => {
  test('hiding resolves all open reports on the subject, notifies the reporters, and is in the audit log', async () => {
    const { review } = await reviewed('Loud Coin');
    const [ana, ben] = [await newUser(server), await newUser(server)];
    await report(ana, 'review', review);
    await report(ben, 'review', review, 'abuse');
    await report(ben, 'reply', review);
    await panel.post(`/api/admin/reviews/${review}/moderate`, { hidden: true, reason: 'Insults' });
    expect(await open(review, 'review')).toBeUndefined();
    // The reply is a different subject, hidden or not.
    expect(await open(review, 'reply')).toMatchObject({ count: 1 });
    for (const user of [ana, ben])
      expect(await noticesOf(user)).toMatchObject([
        { kind: 'report_resolved', text: 'Thank you: a review of Loud Coin, which you reported, was hidden' },
      ]);
    const gone = await reviewed('Gone Coin');
    const cai = await newUser(server);
    await report(cai, 'review', gone.review);
    await panel.post(`/api/admin/projects/${gone.project}/moderate`, { hidden: true, reason: 'Scam' });
    await panel.post(`/api/admin/reviews/${gone.review}/moderate`, { hidden: true, reason: 'Insults' });
    expect(await noticesOf(cai)).toMatchObject([{ link: null }]);
    const { body } = await panel.get<AuditEntry[]>(`/api/admin/audit?q=${encodeURIComponent('review.hide Loud')}`);
    expect(body[0]?.detail).toBe(`Review ${review} (Loud Coin). Reason: Insults. Open reports resolved: 2`);
  });

  test('dismissing leaves the subject unchanged, notifies, and requires a reason; a second time gets 409', async () => {
    const { project } = await reviewed('Honest Coin');
    const user = await newUser(server);
    await report(user, 'project', project);
    const dismiss = (reason: string) =>
      panel.post('/api/admin/reports/dismiss', { subject: 'project', subjectId: project, reason });
    expect((await dismiss(' ')).status).toBe(400);
    expect((await dismiss('Checked the team')).status).toBe(200);
    expect((await dismiss('Checked the team')).status).toBe(404);
    const { slug } = await db.selectFrom('projects').select('slug').where('id', '=', project).executeTakeFirstOrThrow();
    expect(await noticesOf(user)).toMatchObject([
      { text: 'Your report of Honest Coin was reviewed: it stays', link: `/projects/${slug}`, readAt: null },
    ]);
    expect((await user.get(`/api/projects/${project}`)).status).toBe(200);
    const { body } = await panel.get<AuditEntry[]>('/api/admin/audit?q=report.dismiss%20Checked');
    expect(body).toMatchObject([{ detail: `Reports on project ${project}. Reason: Checked the team`, rowCount: 1 }]);
  });

  test('a hidden reply is not shown, cannot be written again, and reappears when it is unhidden', async () => {
    const { project, review, owner } = await reviewed('Chatty Coin');
    const quiet = await reviewed('Quiet Coin');
    const shown = async (id = project) =>
      (await owner.get<Review[]>(`/api/projects/${id}/reviews`)).body.map(({ reply }) => reply?.content);
    expect(await shown()).toEqual(['Thank you']);
    const moderate = (hidden: boolean) =>
      panel.post(`/api/admin/reviews/${review}/reply/moderate`, { hidden, reason: 'Advertising' });
    expect((await moderate(true)).status).toBe(200);
    expect(await shown()).toEqual([undefined]);
    expect(await shown(quiet.project)).toEqual(['Thank you']);
    for (const method of ['PUT', 'DELETE']) {
      const response = await owner.send(
        method,
        `/api/reviews/${review}/reply`,
        method === 'PUT' ? { content: 'Me' } : undefined,
      );
      expect(response).toMatchObject({ status: 409, body: { error: 'reply_hidden' } });
    }
    const found = await panel.get<{ id: number }[]>('/api/admin/moderation/replies?q=chatty');
    expect(found.body).toMatchObject([{ id: review, content: 'Thank you', hiddenReason: 'Advertising' }]);
    expect((await moderate(false)).status).toBe(200);
    expect(await shown()).toEqual(['Thank you']);
    const activity = await owner.get<{ kind: string; text: string }[]>(`/api/users/${owner.id}/activity`);
    expect(activity.body).toMatchObject([
      { kind: 'reply_unhidden' },
      { kind: 'reply_hidden', text: 'Your reply to a review of Chatty Coin was hidden: Advertising' },
    ]);
    await sql`DELETE FROM review_replies WHERE review_id = ${review}`.execute(db);
    expect((await moderate(true)).status).toBe(404);
  });
});
