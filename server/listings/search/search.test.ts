import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LeaderboardRow, ListedProject } from '#shared/contract/projects.ts';
import { NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import { hasRanks, SORTS } from '#shared/listings/sort-names.ts';
import { slugify } from '#shared/listings/slug.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertProject, insertUser, setProject } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';

const server = await createTestApp();
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);

beforeEach(async () => {
  await empty(db);
  services.cache.invalidateAll();
});

const addressOf = (query: Readonly<Record<string, string | number>>): string =>
  `/api/v1/projects?${Object.entries(query)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&')}`;
async function find(query: Record<string, string | number> = {}, client = visitor) {
  const { status, body, headers } = await client.get<ListedProject[]>(addressOf(query));
  expect(status).toBe(200);
  return { rows: body, cursor: headers.get(NEXT_CURSOR_HEADER), total: Number(headers.get(TOTAL_COUNT_HEADER)) };
}
const names = async (query: Record<string, string | number>) => (await find(query)).rows.map(({ name }) => name);

/** Projects as owners list them: a name is also a slug. */
async function list(...projects: { name: string; description?: string; category?: string; bullish?: number }[]) {
  const ownerId = await insertUser(db);
  for (const { name, description = 'Made up', category = 'DeFi', bullish = 0 } of projects) {
    const id = await insertProject(db, { ownerId, name, bullish });
    const slug = slugify(name);
    await setProject(db, id, { description, category, slug });
  }
}

describe('a search', () => {
  beforeEach(() =>
    list(
      { name: 'Tidepool Swap', bullish: 1 },
      { name: 'Glass Orchard', description: 'Fruit in a tidepool' },
      { name: 'Café Lantern', description: 'Ｔｉｃｋｅｔｓ for a ﬁreplace' },
      { name: 'Reef Stewards', category: 'DAO', bullish: 3 },
    ),
  );

  test.each([
    ['the beginning of a name', 'tide', ['Tidepool Swap', 'Glass Orchard']],
    ['words in any order, however they are written', '  SWAP   tidepool ', ['Tidepool Swap']],
    ['a missing letter', 'tidepol', ['Tidepool Swap']],
    ['letters that are swapped', 'orhcard', ['Glass Orchard']],
    ['a wrong letter in one of two words', 'glass orchert', ['Glass Orchard']],
    ['an accent that was not typed', 'cafe lantren', ['Café Lantern']],
    ['a word of the description', 'fruit', ['Glass Orchard']],
    ['a category', 'dao', ['Reef Stewards']],
    ['wide letters and ligatures', 'tickets fireplace', ['Café Lantern']],
    ['what was typed in wide letters', 'ｆｒｕｉｔ', ['Glass Orchard']],
    ['invisible characters between the letters', 'ti\u200bde\u00adpool swap', ['Tidepool Swap']],
    ['nothing like it', 'zzzzqqq', []],
    ['a percent sign, which is no wildcard', '%', []],
    ['an underscore, which is none either', '_', []],
    ['quotes and a comment', `'; DROP TABLE projects; --"`, []],
    ['letters without a sound in Latin', '\u{1f419}', []],
  ])('a search finds %s', async (_what, search, found) => {
    expect(await names({ search })).toEqual(found);
  });

  test('a search puts names before other texts, each in the requested order; ranks are those of all projects', async () => {
    await list({ name: 'Tide Pool Two', bullish: 9 });
    const { rows, total } = await find({ search: 'tide', sort: 'verified' });
    expect(rows.map(({ name, rank }) => [name, rank])).toEqual([
      ['Tide Pool Two', 1],
      ['Tidepool Swap', 3],
      ['Glass Orchard', 4],
    ]);
    expect(total).toBe(3);
  });

  test('pages of a search equal its whole list, names and other texts', async () => {
    await list({ name: 'Tide Pool Two', bullish: 9 }, { name: 'Low Water', description: 'No tide', bullish: 20 });
    const all = await names({ search: 'tide', sort: 'verified' });
    expect(all).toEqual(['Tide Pool Two', 'Tidepool Swap', 'Low Water', 'Glass Orchard']);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null && seen.length <= all.length) {
      const page: Awaited<ReturnType<typeof find>> = await find({
        search: 'tide',
        sort: 'verified',
        limit: 1,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...page.rows.map(({ name }) => name));
      cursor = page.cursor;
    }
    expect(seen).toEqual(all);
  });

  test('a search finds listed, renamed and hidden projects immediately, and nothing in another category', async () => {
    expect(await names({ search: 'harbor' })).toEqual([]);
    await list({ name: 'Harbor Line', category: 'NFT' });
    expect(await names({ search: 'harbor' })).toEqual(['Harbor Line']);
    expect(await names({ search: 'harbor', category: 'DeFi' })).toEqual([]);
    expect(await names({ search: 'harbor', category: 'NFT' })).toEqual(['Harbor Line']);
    await db
      .updateTable('projects')
      .set({ hiddenAt: sql`now()` })
      .where('name', '=', 'Harbor Line')
      .execute();
    expect(await names({ search: 'harbor' })).toEqual([]);
    expect(await names({ search: 'harborr' })).toEqual([]);
  });

  test.each<[string, Record<string, string | number>, string]>([
    ['10,000 characters', { search: 'x'.repeat(10_000) }, 'The search can be at most 100 characters long'],
    ['another category', { category: 'defi' }, 'There is no such category'],
    ['another order', { sort: 'paid' }, 'The order is one of bullish, '],
    ['more than 100 rows', { limit: 101 }, 'The limit must be a whole number from 1 to 100'],
    ['a made-up cursor', { cursor: 'abc' }, 'This cursor is not valid'],
    ['a misspelled parameter', { serach: 'tide' }, 'does not know the parameter "serach"'],
  ])('a search with %s is refused', async (_what, query, message) => {
    const { status, body } = await visitor.get<{ message: string }>(addressOf(query));
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('a search refuses a cursor of another list, and one that was tampered with', async () => {
    const { cursor } = await find({ limit: 1 });
    expect((await find({ limit: 1, cursor: cursor ?? '' })).rows.map(({ name }) => name)).toEqual(['Tidepool Swap']);
    for (const [name, value] of [
      ['sort', 'new'],
      ['category', 'DeFi'],
      ['search', 'tide'],
    ] as const)
      expect((await visitor.get(addressOf({ [name]: value, cursor: cursor ?? '' }))).status).toBe(400);
    for (const key of [['bullish::', []], ['bullish::', ['x']], [1], {}, null]) {
      const made = Buffer.from(JSON.stringify(key)).toString('base64url');
      expect((await visitor.get(addressOf({ cursor: made }))).status).toBe(400);
    }
  });
});

describe('10,000 listings', () => {
  const COUNT = 10_000;
  beforeEach(async () => {
    const ownerId = await insertUser(db);
    await sql`INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
      SELECT 'harbor-' || n, 'Harbor ' || n, CASE n % 2 WHEN 0 THEN 'DeFi' ELSE 'NFT' END, 'Of many', '', 'x', ${ownerId}, now() + interval '1 day'
      FROM generate_series(1, ${COUNT}) n`.execute(db);
    await sql`INSERT INTO project_stats (project_id, bullish, bearish) SELECT id, id % 90, id % 7 FROM projects`.execute(
      db,
    );
    await sql`INSERT INTO verified_stats (project_id, bullish, bearish) SELECT id, id % 30, id % 5 FROM projects`.execute(
      db,
    );
    await sql`INSERT INTO project_trends (project_id, bullish, bearish, weight) SELECT id, 1 + id % 9, id % 3, 1 + id % 40 FROM projects WHERE id % 3 = 0`.execute(
      db,
    );
    services.cache.invalidateAll();
  });

  test('10,000 listings come page by page, each once, with ranks from 1 on where the order has ranks', async () => {
    for (const sort of SORTS) {
      const seen: ListedProject[] = [];
      let cursor: string | null = '';
      while (cursor !== null && seen.length < 500) {
        const page: Awaited<ReturnType<typeof find>> = await find({ sort, limit: 100, ...(cursor ? { cursor } : {}) });
        expect(page.total).toBe(COUNT);
        seen.push(...page.rows);
        cursor = page.cursor;
      }
      expect(seen.map(({ rank }) => rank)).toEqual(seen.map((_row, i) => (hasRanks(sort) ? i + 1 : null)));
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    }
    const old = (await visitor.get<LeaderboardRow[]>('/api/projects/leaderboard/all?limit=100')).body;
    expect((await find({ limit: 100 })).rows.map(({ id }) => id)).toEqual(old.map(({ id }) => id));
  });

  test('pages continue behind the last rank with the projects without one, each once [R27 R53]', async () => {
    const seen: ListedProject[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof find>> = await find({ limit: 100, ...(cursor ? { cursor } : {}) });
      seen.push(...page.rows);
      cursor = page.cursor;
    }
    const hasTen = seen.map(({ verified }) => verified.bullish + verified.bearish >= 10);
    const ranked = hasTen.indexOf(false);
    expect(hasTen.slice(ranked)).not.toContain(true);
    expect(seen.map(({ rank }) => rank)).toEqual(seen.map((_row, i) => (i < ranked ? i + 1 : null)));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(COUNT);
  });

  test('a search uses an index where no name contains the searched text', async () => {
    await sql`ANALYZE projects`.execute(db);
    const plan = await db.transaction().execute(async (trx) => {
      // Any other index would be equally good for all visible projects.
      await sql`DROP INDEX projects_name_key_idx; SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off`.execute(
        trx,
      );
      return sql`EXPLAIN (ANALYZE, COSTS) SELECT id FROM projects WHERE hidden_at IS NULL AND 'harbr-9999' <% slug`.execute(
        trx,
      );
    });
    expect(JSON.stringify(plan.rows)).toContain('projects_slug_trigrams_idx');
    expect(await names({ search: 'harbr 9999' })).toContain('Harbor 9999');
  });
});
