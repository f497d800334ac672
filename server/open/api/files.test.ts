import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LeaderboardDay } from '#shared/contract/open.ts';
import { ATOM_PATH } from '#shared/site/pages.ts';
import { PUBLIC_ORIGIN, createTestApp } from '#lab/testing/app.ts';
import { readAtom } from '#lab/testing/atom.ts';
import { empty, insertProject, insertUser, setProject, dayOf } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';
import { toAtom } from '#shared/site/atom.ts';

const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);
beforeEach(async () => {
  await empty(db);
  await db
    .insertInto('closedDays')
    .values({ day: await dayOf(db, 1), until: await dayOf(db, 0) })
    .execute();
  server.services.cache.invalidateAll();
});

const insertReview = async (projectId: number, content: string, hidden = false) =>
  db
    .insertInto('reviews')
    .values({
      projectId,
      userId: await insertUser(db),
      content,
      ...(hidden ? { hiddenAt: new Date(), hiddenReason: 'spam' } : {}),
    })
    .execute();

async function readFeed() {
  const { status, body, headers } = await visitor.get<{ text: string }>(ATOM_PATH);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  return readAtom(body.text, `${PUBLIC_ORIGIN}${ATOM_PATH}`);
}

describe('the Atom feed', () => {
  test('the feed has new listings and reviews, newest first, without hidden ones [R53]', async () => {
    expect(await readFeed()).toEqual([]);
    const project = await insertProject(db, { name: 'Lagoon' });
    const hidden = await insertProject(db, { name: 'Spam', hidden: true });
    await insertReview(project, 'Solid team');
    await insertReview(project, 'Hidden words', true);
    await insertReview(hidden, 'Of a hidden project');
    const entries = await readFeed();
    expect(entries.map(({ title, content }) => [title, content])).toEqual([
      ['Review of Lagoon', 'Solid team'],
      ['New on Snapswipe: Lagoon', 'A project of a test'],
    ]);
    expect(entries[0]?.link).toMatch(new RegExp(`^${PUBLIC_ORIGIN}/projects/project-`));
    expect(entries[1]?.id).toBe(`tag:${new URL(PUBLIC_ORIGIN).hostname},2026:projects/${project}`);
  });

  test('an entry and the feed are updated when a listing changes, and published once [R53]', async () => {
    const project = await insertProject(db);
    await insertProject(db);
    const timesOf = async () => {
      const { text: body } = (await visitor.get<{ text: string }>(ATOM_PATH)).body;
      const entry = body.split('<entry>').find((part) => part.includes(`:projects/${project}<`)) ?? '';
      const at = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)<`).exec(xml)?.[1] ?? '';
      return { published: at(entry, 'published'), updated: at(entry, 'updated'), feed: at(body, 'updated') };
    };
    const before = await timesOf();
    await setProject(db, project, { description: 'Another text' });
    await server.allNotified();
    const after = await timesOf();
    expect(after.published).toBe(before.published);
    expect(after.updated > before.updated).toBe(true);
    expect(after.feed).toBe(after.updated);
  });

  test('a feed entry keeps its id when its project gets another name and address [R53]', async () => {
    const project = await insertProject(db, { name: 'Before' });
    const [before] = await readFeed();
    await db.insertInto('projectSlugs').values({ slug: 'after', projectId: project }).execute();
    await setProject(db, project, { name: 'After', slug: 'after' });
    const [after] = await readFeed();
    expect(after).toMatchObject({ title: 'New on Snapswipe: After', link: `${PUBLIC_ORIGIN}/projects/after` });
    expect(after?.id).toBe(before?.id);
  });

  test('feed text stays text, with any markup and characters [R53]', async () => {
    const hostile = `]]> <script>alert("1")</script> & 'x' &lt; <![CDATA[ --> ü 🚀`;
    await insertReview(await insertProject(db, { name: '<b>&amp;' }), hostile);
    const [review, listing] = await readFeed();
    expect(review).toMatchObject({ title: 'Review of <b>&amp;', content: hostile });
    expect(listing?.title).toBe('New on Snapswipe: <b>&amp;');
    // No form accepts these; the database could store them.
    const entry = {
      ref: 'reviews/1',
      path: '/',
      author: 'a\u0000',
      category: 'DeFi',
      at: new Date(0),
      changedAt: new Date(0),
    };
    const text = toAtom(PUBLIC_ORIGIN, [{ ...entry, title: 'a\u0008b\uffff', text: 'c\ud800d\u000b' }]);
    expect(readAtom(text, `${PUBLIC_ORIGIN}${ATOM_PATH}`)[0]).toMatchObject({
      title: 'ab',
      author: 'a',
      content: 'c\ufffdd',
    });
  });

  test('the feed is bounded, cached with an ETag, and readable from pages of every site [R53]', async () => {
    const project = await insertProject(db);
    const userId = await insertUser(db);
    const rows = Array.from({ length: 60 }, (_, i) => ({ projectId: project, userId, content: `Review ${i}` }));
    await db.insertInto('reviews').values(rows).execute();
    expect(await readFeed()).toHaveLength(50);
    const { headers } = await visitor.get(ATOM_PATH);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await visitor.get(ATOM_PATH, known);
    expect(again.status).toBe(304);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
  });
});

const JSON_PATH = '/api/v1/leaderboard.json';
const CSV_PATH = '/api/v1/leaderboard.csv';

/** A project that was listed ten days ago, with its counters at the end of days since. */
async function insertHistory(name: string, days: Array<[daysAgo: number, bullish: number, bearish: number]>) {
  const projectId = await insertProject(db, { name });
  await sql`UPDATE projects SET created_at = now() - interval '10 days' WHERE id = ${projectId}`.execute(db);
  for (const [daysAgo, bullish, bearish] of days) {
    const row = { projectId, day: await dayOf(db, daysAgo), bullish, bearish, votes: 1 };
    await db
      .insertInto('projectDays')
      .values({ ...row, verifiedBullish: 1 })
      .execute();
  }
  return projectId;
}

const readJson = async (day?: string): Promise<LeaderboardDay> =>
  (await visitor.get<LeaderboardDay>(day === undefined ? JSON_PATH : `${JSON_PATH}?day=${day}`)).body;

describe('the leaderboard of a day', () => {
  test('a day has the counters of its end, ranked like /leaderboard, with interval and verified votes [R27 R44 R53]', async () => {
    await insertHistory('Unvoted', []);
    await insertProject(db, { name: 'Hidden', hidden: true });
    await insertHistory('Fallen', [
      [6, 3, 0],
      [1, 3, 9],
    ]);
    await insertHistory('Steady', [[4, 30, 10]]);
    const then = await readJson(await dayOf(db, 2));
    expect(
      then.projects.map(({ rank, name, bullish, bearish, share }) => [rank, name, bullish, bearish, share]),
    ).toEqual([
      [1, 'Fallen', 3, 0, 1],
      [2, 'Steady', 30, 10, 0.75],
      [3, 'Unvoted', 0, 0, null],
    ]);
    // Computed with the textbook formula for 30 of 40.
    expect(then.projects[1]).toMatchObject({
      low: 0.5981,
      high: 0.8581,
      verified: { bullish: 1, bearish: 0, share: 1 },
    });
    const last = await readJson();
    expect(last.day).toBe(await dayOf(db, 1));
    expect(last.projects.map(({ name }) => name)).toEqual(['Steady', 'Fallen', 'Unvoted']);
    expect((await readJson(await dayOf(db, 11))).projects).toEqual([]);
  });

  test('a day has ranks by verified votes from the first day on which these were counted for ranks [R27 R53]', async () => {
    for (const [name, bearish, verified] of [
      ['Lucky', 0, 9],
      ['Ahead', 1, 10],
      ['Second', 5, 12],
      ['Last', 30, 30],
    ] as const) {
      const projectId = await insertHistory(name, [
        [2, 30, bearish],
        [1, 30, bearish],
      ]);
      const counted = { verifiedBullish: verified, verifiedBearish: 0, rankVotes: verified };
      await db
        .updateTable('projectDays')
        .set(counted)
        .where('projectId', '=', projectId)
        .where('day', '=', sql<Date>`${await dayOf(db, 1)}::date`)
        .execute();
    }
    const ranksOf = async (daysAgo: number) =>
      (await readJson(await dayOf(db, daysAgo))).projects.map(({ name, rank, rankVotes }) => [name, rank, rankVotes]);
    expect(await ranksOf(2)).toEqual([
      ['Lucky', 1, 0],
      ['Ahead', 2, 0],
      ['Second', 3, 0],
      ['Last', 4, 0],
    ]);
    const day = await dayOf(db, 1);
    expect(await ranksOf(1)).toEqual([
      ['Ahead', 1, 10],
      ['Second', 2, 12],
      ['Last', 3, 30],
      ['Lucky', null, 9],
    ]);
    const { body } = await visitor.get<{ text: string }>(`${CSV_PATH}?day=${day}`);
    expect(body.text.split('\r\n')[4]).toMatch(new RegExp(`^${day},,\\d+,.*,Lucky,.*,9$`));
  });

  test('a day as CSV has the same figures, and no cell that a spreadsheet takes for a formula [R33 R53]', async () => {
    await insertHistory('=HYPERLINK("http://evil.example","click")', [[1, 3, 1]]);
    const day = await dayOf(db, 1);
    const { status, body, headers } = await visitor.get<{ text: string }>(`${CSV_PATH}?day=${day}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="snapswipe-leaderboard-${day}.csv"`);
    const [head, row, rest] = body.text.split('\r\n');
    expect(head).toBe(
      'day,rank,id,slug,name,category,listed_on,bullish,bearish,share,low,high,verified_bullish,verified_bearish,verified_share,verified_low,verified_high,now_bullish,now_bearish,now_share,now_low,now_high,rank_votes',
    );
    expect(row).toContain(
      `"'=HYPERLINK(""http://evil.example"",""click"")",DeFi,${await dayOf(db, 10)},3,1,0.75,0.3006,0.9544,1,0,1,`,
    );
    expect(rest).toBe('');
  });

  test('a CSV file begins with the byte order mark by which Excel knows UTF-8 [R33 R53]', async () => {
    const bytes = await (await fetch(server.url + CSV_PATH)).bytes();
    expect(Buffer.from(bytes.subarray(0, 6))).toEqual(Buffer.from('\uFEFFday'));
  });

  test('the leaderboard refuses an invalid day, and one that is not closed [R53 R94]', async () => {
    for (const day of [
      'yesterday',
      '2026-13-01',
      '2026-02-30',
      '20260101',
      '-infinity',
      '',
      "2026-01-01'",
      await dayOf(db, 0),
    ])
      for (const path of [JSON_PATH, CSV_PATH]) {
        const { status, body } = await visitor.get(`${path}?day=${encodeURIComponent(day)}`);
        expect({ day, status, body }).toMatchObject({ status: 400, body: { field: 'day' } });
      }
    expect((await visitor.get(`${JSON_PATH}?day=0001-01-01`)).status).toBe(200);
  });
});
