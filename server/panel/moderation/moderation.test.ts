import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { AuditEntry, ModeratedProject, ModeratedReview } from '#shared/contract/admin.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
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

  test('moderating missing content gets 404', async () => {
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

test('details of any kind can be written [R32]', async () => {
  const who = { actor: '0xadmin', ip: null };
  await writeAudit(db, who, {
    action: 'odd',
    detail: `NUL \u0000, half a pair \ud800, ${'x'.repeat(20_000)}`,
    outcome: '\u0000',
  });
  const { body } = await panel.get<AuditEntry[]>('/api/admin/audit?q=odd');
  expect(body[0]?.detail.length).toBeLessThan(10_100);
});

test('renaming a project while it is shown again ends in an order, not in a deadlock [R33]', async () => {
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
