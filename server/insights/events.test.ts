import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { createTestApp, startServer } from '../testing/app.ts';
import { insertProject } from '../testing/builders.ts';
import { Client, newUser } from '../testing/client.ts';
import { createEventCounter } from './event-counter.ts';

const server = await createTestApp();
const { db, events } = server.services;
const visitor = new Client(server.url);

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
let addresses = 0;
/** Headers of a browser that was not here before. */
function someone(more: Record<string, string> = {}): Record<string, string> {
  addresses += 1;
  return { 'user-agent': BROWSER, 'x-forwarded-for': `198.51.${addresses >> 8}.${addresses & 255}`, ...more };
}
const post = (id: number | string, body: unknown, headers = someone(), client = visitor) =>
  client.post(`/api/projects/${id}/events`, body, headers);

/** What is stored of a project: 'view page 2'. */
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
  for (nowMs of [1, 2, 599_999, 600_002]) counter.count(view, 'one client');
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

test('only projects that everybody sees are counted: unknown and hidden ones are not found [R50]', async () => {
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
  // Counted before it was hidden, stored after that.
  const counter = createEventCounter(db, { intervalMs: 0 });
  counter.count({ projectId: hidden, kind: 'view', source: 'page' }, 'a client');
  await counter.close();
  expect(await stored(hidden)).toEqual([]);
});

test('no more than 200,000 clients are told apart within ten minutes: memory stays bounded', async () => {
  const id = await insertProject(db);
  let nowMs = 0;
  const counter = createEventCounter(db, { intervalMs: 0, now: () => nowMs });
  const view = { projectId: id, kind: 'view', source: 'link' } as const;
  for (let client = 0; client <= 200_000; client += 1) counter.count(view, `client ${client}`);
  nowMs = 600_000;
  counter.count(view, 'one of the next ten minutes');
  await counter.close();
  expect(await stored(id)).toEqual(['view link 200001']);
});

test.each([
  ['another kind', { kind: 'vote', source: 'page' }],
  ['another source', { kind: 'view', source: 'moon' }],
  ['no kind', { source: 'page' }],
  ['a list', []],
  ['a kind that is code', { kind: { toString: 1 }, source: 'page' }],
])('%s is refused', async (_what, body) => {
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
  counter.count(view, 'first');
  events.count(view, 'second');
  await sql`ALTER TABLE project_events_days RENAME TO away`.execute(db);
  await counter.flush();
  await sql`ALTER TABLE away RENAME TO project_events_days`.execute(db);
  expect(onError).toHaveBeenCalledOnce();
  counter.count(view, 'third');
  await counter.close();
  counter.count(view, 'fourth');
  await counter.flush();
  expect(await stored(id)).toEqual(['view badge 3']);
});

test('a client that sends more events than writes are allowed is told to wait', async () => {
  const id = await insertProject(db);
  const other = await startServer(server.databaseUrl, { env: { RATE_LIMIT_WRITES_PER_MINUTE: '5' } });
  const again = someone();
  const statuses: number[] = [];
  for (let i = 0; i < 6; i += 1)
    statuses.push((await post(id, { kind: 'view', source: 'page' }, again, new Client(other.url))).status);
  await other.close();
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
});
