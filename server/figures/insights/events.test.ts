import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { createEventCounter } from './event-counter.ts';

const server = await createTestApp();
const { db, events } = server.services;
const visitor = new Client(server.url);

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
let addresses = 0;
/** Headers of a new browser. */
function someone(more: Record<string, string> = {}): Record<string, string> {
  addresses += 1;
  return { 'user-agent': BROWSER, 'x-forwarded-for': `198.51.${addresses >> 8}.${addresses & 255}`, ...more };
}
const post = (id: number | string, body: unknown, headers = someone(), client = visitor) =>
  client.post(`/api/projects/${id}/events`, body, headers);

/** Stored counts of a project: 'view page 2'. */
async function stored(projectId: number): Promise<string[]> {
  await events.flush();
  const rows = await db
    .selectFrom('projectEventsDays')
    .select(['kind', 'source', 'count'])
    .where('projectId', '=', projectId)
    .orderBy('kind')
    .orderBy('source')
    .execute();
  return rows.map(({ kind, source, count }) => `${kind} ${source} ${count}`);
}

test('views, clicks and shares of visitors and users are counted per day and source, without a cookie [R50]', async () => {
  const id = await insertProject(db);
  const user = await newUser(server);
  expect(await post(id, { kind: 'view', source: 'deck' })).toMatchObject({ status: 202, body: { success: true } });
  const response = await post(id, { kind: 'view', source: 'deck' }, someone(), user);
  expect(response.status).toBe(202);
  expect(response.headers.getSetCookie()).toEqual([]);
  for (const [kind, source] of [
    ['view', 'link'],
    ['click', 'page'],
    ['share', 'page'],
  ])
    await post(id, { kind, source });
  expect(await stored(id)).toEqual(['view deck 2', 'view link 1', 'click page 1', 'share page 1']);
  await post(id, { kind: 'view', source: 'deck' });
  expect(await stored(id)).toContain('view deck 3');
  const { rows } = await sql<{ today: boolean }>`
    SELECT day = (now() AT TIME ZONE 'UTC')::date OR day = (now() AT TIME ZONE 'UTC')::date - 1 AS today
    FROM project_events_days WHERE project_id = ${id} LIMIT 1`.execute(db);
  expect(rows).toEqual([{ today: true }]);
});

test('a page that is reloaded is one view, until ten minutes are over [R50]', async () => {
  const id = await insertProject(db);
  const again = someone();
  for (let i = 0; i < 3; i += 1) expect((await post(id, { kind: 'view', source: 'page' }, again)).status).toBe(202);
  await post(id, { kind: 'click', source: 'page' }, again);
  await post(id, { kind: 'view', source: 'page' }, { ...again, 'user-agent': `${BROWSER} Edg/140.0` });
  expect(await stored(id)).toEqual(['view page 2', 'click page 1']);

  let nowMs = 0;
  const counter = createEventCounter(db, { intervalMs: 0, now: () => nowMs });
  const view = { projectId: id, kind: 'view', source: 'embed' } as const;
  for (nowMs of [1, 2, 599_999, 600_002]) counter.count(view, { address: '203.0.113.1', browser: BROWSER });
  await counter.flush();
  expect(await stored(id)).toContain('view embed 2');
});

test.each([
  ['a search engine', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ['a preview of a link', { 'user-agent': 'TelegramBot (like TwitterBot)' }],
  ['a browser without a window', { 'user-agent': BROWSER.replace('Chrome/', 'HeadlessChrome/') }],
  ['a script', { 'user-agent': 'curl/8.5.0' }],
  ['a client without a name', { 'user-agent': '' }],
  ['a page fetched ahead', { 'sec-purpose': 'prefetch;prerender' }],
  ['a page fetched ahead, as others say it', { purpose: 'prefetch' }],
])('%s is not counted [R50]', async (_who, headers) => {
  const id = await insertProject(db);
  expect((await post(id, { kind: 'view', source: 'page' }, someone(headers))).status).toBe(202);
  expect(await stored(id)).toEqual([]);
  await post(id, { kind: 'view', source: 'page' });
  expect(await stored(id)).toEqual(['view page 1']);
});

test('counts events only of public projects: unknown and hidden ones are not found [R50]', async () => {
  const [hidden, shown] = [await insertProject(db, { hidden: true }), await insertProject(db, { expiresInDays: -1 })];
  for (const id of [hidden, 999_999_999, '999999999999999'])
    expect((await post(id, { kind: 'view', source: 'page' })).status).toBe(404);
  expect((await post('a-slug', { kind: 'view', source: 'page' })).status).toBe(400);
  // An expired listing still has its page.
  expect((await post(shown, { kind: 'view', source: 'page' })).status).toBe(202);
  await db
    .updateTable('projects')
    .set({ hiddenAt: sql`now()` })
    .where('id', '=', shown)
    .execute();
  await server.allNotified();
  expect((await post(shown, { kind: 'view', source: 'page' })).status).toBe(404);
  // Counted before the project was hidden, stored after that.
  const counter = createEventCounter(db, { intervalMs: 0 });
  counter.count({ projectId: hidden, kind: 'view', source: 'page' }, { address: '203.0.113.1', browser: BROWSER });
  await counter.close();
  expect(await stored(hidden)).toEqual([]);
});

/** A visitor with a separate address. */
const by = (n: number, browser = BROWSER) => ({ address: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, browser });
const viewOf = (projectId: number, source: 'page' | 'badge' = 'page') => ({ projectId, kind: 'view', source }) as const;

describe('visitors made up by one address change only its own counts [R50]', () => {
  test('twenty browsers of one address count for the same event, over HTTP and by a badge, and other visitors as before', async () => {
    const [attacked, other] = [await insertProject(db), await insertProject(db)];
    const { slug } = await db
      .selectFrom('projects')
      .select('slug')
      .where('id', '=', attacked)
      .executeTakeFirstOrThrow();
    const attacker = someone();
    const madeUp = (n: number) => ({ ...attacker, 'user-agent': `${BROWSER} Build/${n}` });
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        n % 2 === 0
          ? post(attacked, { kind: 'view', source: 'page' }, madeUp(n))
          : visitor.get(`/badge/${slug}.svg`, madeUp(n)),
      ),
    );
    expect(await stored(attacked)).toEqual(['view page 20', 'view badge 20']);
    for (let n = 0; n < 20; n += 1) await post(other, { kind: 'view', source: 'page' });
    for (let n = 0; n < 20; n += 1) await post(attacked, { kind: 'view', source: 'page' });
    expect(await stored(other)).toEqual(['view page 20']);
    expect(await stored(attacked)).toEqual(['view page 40', 'view badge 20']);
  });

  test('two thousand events of one address on all projects count in ten minutes', async () => {
    const projects = await insertProjects(db, 150);
    let nowMs = 0;
    const counter = createEventCounter(db, { intervalMs: 0, now: () => nowMs });
    const attack = () => {
      for (let browser = 0; browser < 20; browser += 1)
        for (const id of projects) counter.count(viewOf(id), by(1, `${browser}`));
    };
    const total = async (): Promise<number> => {
      await counter.flush();
      const { rows } = await sql<{ total: number }>`
        SELECT sum(count)::int AS total FROM project_events_days WHERE project_id = ANY (${projects}::bigint[])`.execute(
        db,
      );
      return rows[0]?.total ?? 0;
    };
    attack();
    expect(await total()).toBe(2_000);
    for (const id of projects) counter.count(viewOf(id), by(2));
    expect(await total()).toBe(2_150);
    nowMs = 600_000;
    attack();
    expect(await total()).toBe(4_150);
    await counter.close();
  });
});

test('many addresses that attack one project leave the counts of the others correct: a full event drops its own oldest visitors', async () => {
  const [attacked, other] = [await insertProject(db), await insertProject(db)];
  const counter = createEventCounter(db, { intervalMs: 0, maxVisitors: 1_000 });
  for (let n = 0; n < 50; n += 1) counter.count(viewOf(other), by(n));
  for (let n = 0; n < 10_000; n += 1) counter.count(viewOf(attacked), by(n));
  // Known visitors are not counted again; new ones are.
  for (let n = 0; n < 60; n += 1) counter.count(viewOf(other), by(n));
  counter.count(viewOf(attacked), by(9_999));
  await counter.flush();
  expect(await stored(other)).toEqual(['view page 60']);
  expect(await stored(attacked)).toEqual(['view page 10000']);
  // One of the oldest, which was dropped.
  counter.count(viewOf(attacked), by(0));
  await counter.close();
  expect(await stored(attacked)).toEqual(['view page 10001']);
});

test.each([
  ['another kind', { kind: 'vote', source: 'page' }],
  ['another source', { kind: 'view', source: 'moon' }],
  ['no kind', { source: 'page' }],
  ['a list', []],
  ['a kind that is code', { kind: { toString: 1 }, source: 'page' }],
])('refuses the event %s', async (_what, body) => {
  const id = await insertProject(db);
  expect((await post(id, body)).status).toBe(400);
  expect(await stored(id)).toEqual([]);
});

test('a body of more than a kilobyte is refused', async () => {
  const id = await insertProject(db);
  const response = await post(id, { kind: 'view', source: 'page', more: 'x'.repeat(1100) });
  expect(response).toMatchObject({ status: 413, body: { error: 'too_large' } });
});

test('counters of two servers add up, and those that could not be stored are stored later [R50]', async () => {
  const id = await insertProject(db);
  const onError = vi.fn<(error: unknown) => void>();
  const counter = createEventCounter(db, { intervalMs: 0, onError });
  const view = { projectId: id, kind: 'view', source: 'badge' } as const;
  counter.count(view, by(1));
  events.count(view, by(2));
  await sql`ALTER TABLE project_events_days RENAME TO away`.execute(db);
  await counter.flush();
  await sql`ALTER TABLE away RENAME TO project_events_days`.execute(db);
  expect(onError).toHaveBeenCalledOnce();
  counter.count(view, by(3));
  await counter.close();
  counter.count(view, by(4));
  await counter.flush();
  expect(await stored(id)).toEqual(['view badge 3']);
});
