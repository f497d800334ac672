import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Insights } from '#shared/contract/insights.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { newUser } from '#lab/testing/client.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';
import { countDays } from '../trends/count-days.ts';

const server = await createTestApp();
const { services } = server;
const { db } = services;

/** A UTC day of the past, as the database counts them. */
async function dayOf(daysAgo: number): Promise<string> {
  const { rows } = await sql<{
    day: string;
  }>`SELECT ((now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int)::text AS day`.execute(db);
  return rows[0]?.day ?? '';
}

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
  await countDays(services);
  const { status, body } = await owner.get<Insights>(`/api/projects/${id}/insights`);
  expect(status).toBe(200);
  expect([body.since, body.today]).toEqual([await dayOf(40), await dayOf(0)]);
  expect(body.project).toMatchObject({ id, hidden: false, totalVotes: 1 });
  const none = { deck: 0, page: 0, badge: 0, embed: 0, link: 0 };
  expect(body.events).toEqual([
    { day: await dayOf(3), views: none, clicks: 5, shares: 1 },
    { day: await dayOf(0), views: { ...none, deck: 7, badge: 2 }, clicks: 3, shares: 0 },
  ]);
  expect(body.votes).toMatchObject([{ day: await dayOf(0), bullish: 1, bearish: 0, votes: 1 }]);
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
  const { slug } = await db.selectFrom('projects').select('slug').where('id', '=', id).executeTakeFirstOrThrow();
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="snapswipe-${slug}.csv"`);
  expect(response.body.text.split('\r\n')).toEqual([
    'day,views,views_deck,views_page,views_badge,views_embed,views_link,clicks,shares,votes,votes_new,votes_returning,bullish,bearish,bullish_share,interval_low,interval_high,verified_bullish,verified_bearish',
    `${await dayOf(2)},0,0,0,0,0,0,0,0,0,0,0,0,0,,,,,`,
    `${await dayOf(1)},5,0,0,0,5,0,0,2,12,12,0,9,3,0.75,0.4677,0.9111,4,1`,
    `${await dayOf(0)},0,0,0,0,0,0,0,0,0,0,0,9,3,0.75,0.4677,0.9111,4,1`,
    '',
  ]);
});
