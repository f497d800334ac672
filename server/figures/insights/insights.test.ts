import { sql } from 'kysely';
import { expect, test, describe, vi } from 'vitest';
import type { Insights } from '#shared/contract/insights.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, slugOf, dayOf, insertProjects, setProject } from '#lab/testing/builders.ts';
import { newUser, Client } from '#lab/testing/client.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';
import { createEventCounter } from './event-counter.ts';
import { closeToday } from '#lab/testing/close.ts';

const server = await createTestApp();
const { services } = server;
const { db, events } = services;

/** A project of a signed-in owner, listed this many days ago. */
async function listed(daysAgo: number, hidden = false) {
  const owner = await newUser(server);
  const id = await insertProject(db, { ownerId: owner.id, hidden });
  await sql`UPDATE projects SET created_at = now() - ${daysAgo}::int * interval '1 day' WHERE id = ${id}`.execute(db);
  return { owner, id };
}

const count = (id: number, daysAgo: number, kind: string, source: string, times: number) =>
  sql`INSERT INTO project_events_days VALUES (${id}, (now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int, ${kind}, ${source}, ${times})`.execute(
    db,
  );

test('an owner sees views by source, clicks, shares and votes by day [R50]', async () => {
  const { owner, id } = await listed(40);
  for (const [daysAgo, kind, source, times] of [
    [0, 'view', 'deck', 7],
    [0, 'view', 'badge', 2],
    [0, 'click', 'page', 3],
    [3, 'share', 'page', 1],
    [3, 'click', 'link', 4],
    [3, 'click', 'page', 1],
    // Before the listing: never shown.
    [90, 'view', 'page', 100],
  ] as const)
    await count(id, daysAgo, kind, source, times);
  const voter = await newUser(server);
  await voter.post('/api/votes', { userId: voter.id, projectId: id, voteType: 'bullish' });
  await closeToday(services);
  const { status, body } = await owner.get<Insights>(`/api/projects/${id}/insights`);
  expect(status).toBe(200);
  expect([body.since, body.today]).toEqual([await dayOf(db, 40), await dayOf(db, 0)]);
  expect(body.project).toMatchObject({ id, hidden: false, totalVotes: 1 });
  const none = { deck: 0, page: 0, badge: 0, embed: 0, link: 0 };
  expect(body.events).toEqual([
    { day: await dayOf(db, 3), views: none, clicks: 5, shares: 1 },
    { day: await dayOf(db, 0), views: { ...none, deck: 7, badge: 2 }, clicks: 3, shares: 0 },
  ]);
  expect(body.votes).toMatchObject([{ day: await dayOf(db, 0), bullish: 1, bearish: 0, votes: 1 }]);
});

test('insights name the place in the category by verified votes, and medians of its listings over closed days [R96]', async () => {
  const closed = await closeToday(services);
  const owner = await newUser(server);
  const ids = await insertProjects(db, 5, { ownerId: owner.id, bullish: 20, bearish: 20 });
  for (const [at, id] of ids.entries()) {
    await setProject(db, id, { category: 'Social' });
    await sql`INSERT INTO verified_stats VALUES (${id}, ${10 + at}, ${10 - at})`.execute(db);
    for (const [offset, views] of [
      [0, 10 * at],
      [-29, 1],
      [1, 1_000],
      [-30, 1_000],
    ] as const)
      await sql`INSERT INTO project_events_days SELECT ${id}, ${closed}::date + ${offset}::int, 'view', 'page', ${views} WHERE ${views}::int > 0`.execute(
        db,
      );
    await sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes) VALUES (${id}, ${closed}::date, 20, 20, ${at})`.execute(
      db,
    );
  }
  const alone = await insertProject(db, { ownerId: owner.id });
  await setProject(db, alone, { category: 'Gaming' });
  await server.allNotified();
  const read = async (id?: number) => (await owner.get<Insights>(`/api/projects/${id}/insights`)).body;
  expect(await read(ids[1])).toMatchObject({
    place: { place: 4, of: 5 },
    medians: { listings: 5, votes: 2, views: 21, clicks: 0, shares: 0, share: 60 },
  });
  expect(await read(alone)).toMatchObject({ place: null, medians: null });
});

test('only the owner and the admin see insights, and other users do not learn of a hidden project [R50 S6.4]', async () => {
  const [shown, hidden] = [await listed(3), await listed(3, true)];
  const [other, admin] = [await newUser(server), await newUser(server, ADMIN_KEYPAIR)];
  for (const end of ['', '.csv']) {
    const ask = async (client: typeof other, id: number) =>
      (await client.get(`/api/projects/${id}/insights${end}`)).status;
    expect([await ask(shown.owner, shown.id), await ask(admin, shown.id), await ask(other, shown.id)]).toEqual([
      200, 200, 403,
    ]);
    expect([await ask(hidden.owner, hidden.id), await ask(admin, hidden.id), await ask(other, hidden.id)]).toEqual([
      200, 200, 404,
    ]);
    expect(await ask(admin, 999_999_999)).toBe(404);
  }
});

test('the CSV has a line for each day with share, interval and verified votes, and a name for the file [R50]', async () => {
  const { owner, id } = await listed(2);
  await count(id, 1, 'view', 'embed', 5);
  await count(id, 1, 'share', 'page', 2);
  await sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish)
    VALUES (${id}, (now() AT TIME ZONE 'UTC')::date - 1, 9, 3, 12, 4, 1)`.execute(db);
  const response = await owner.get<{ text: string }>(`/api/projects/${id}/insights.csv`);
  const slug = await slugOf(db, id);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="snapswipe-${slug}.csv"`);
  expect(response.body.text.split('\r\n')).toEqual([
    'day,views,views_deck,views_page,views_badge,views_embed,views_link,clicks,shares,votes,votes_new,votes_returning,bullish,bearish,bullish_share,interval_low,interval_high,verified_bullish,verified_bearish',
    `${await dayOf(db, 2)},0,0,0,0,0,0,0,0,0,0,0,0,0,,,,,`,
    `${await dayOf(db, 1)},5,0,0,0,5,0,0,2,12,12,0,9,3,0.75,0.4677,0.9111,4,1`,
    `${await dayOf(db, 0)},0,0,0,0,0,0,0,0,0,0,0,9,3,0.75,0.4677,0.9111,4,1`,
    '',
  ]);
});

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
  await setProject(db, shown, { hiddenAt: sql`now()` });
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

describe('a client that invents visitors changes only the counts of its own address [R50]', () => {
  test('at most twenty browsers of an address count for one event, over HTTP and by badge, and other visitors count as before', async () => {
    const [attacked, other] = [await insertProject(db), await insertProject(db)];
    const slug = await slugOf(db, attacked);
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
