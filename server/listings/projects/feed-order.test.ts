import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { delistExpired } from './delist.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertProjects, insertUser, removeProjects, setProject } from '#lab/testing/builders.ts';
import { listFeed } from './queries.ts';

const server = await createTestApp();
const { db } = server.services;
const fresh = () => removeProjects(db);
const day = (number: number) => sql<number>`${number}::bigint`;
const DAY = 20_000;

const idsOf = async (userId: number, number = DAY): Promise<number[]> =>
  (await listFeed(db, userId, day(number))).projects.map(({ id }) => id);
const sorted = (ids: Iterable<number>): number[] => [...ids].toSorted((a, b) => a - b);

/** The fields of a vote that the feed needs. */
async function vote(userId: number, projectIds: number[]): Promise<void> {
  const row = { userId, bullish: true, createdAt: sql<Date>`now()` };
  await db
    .insertInto('votes')
    .values(projectIds.map((projectId) => ({ ...row, projectId })))
    .execute();
}

/** Inserts many minimal listings in one statement; their ids in order. */
async function insertMany(ownerId: number, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
    SELECT 'many-' || gen_random_uuid(), 'Many', 'DeFi', 'Many', '0', 'many', ${ownerId}, now() + interval '31 days'
    FROM generate_series(1, ${count}) RETURNING id`.execute(db);
  return rows.map(({ id }) => id);
}

type Kind = 'open' | 'voted' | 'own' | 'hidden' | 'expired' | 'retired' | 'own and voted';
const kinds = fc.constantFrom<Kind>(
  'open',
  'open',
  'open',
  'voted',
  'own',
  'hidden',
  'expired',
  'retired',
  'own and voted',
);

/** Gives the first projects these kinds, as one user sees them, and hides the rest. */
async function arrange(list: Kind[], userId: number, otherId: number): Promise<{ open: number[] }> {
  await fresh();
  const ids = await insertMany(otherId, list.length);
  const of = (...wanted: Kind[]) => ids.filter((_, index) => wanted.includes(list[index] ?? 'open'));
  const update = (set: ReturnType<typeof sql>, wanted: number[]) =>
    sql`UPDATE projects SET ${set} WHERE id = ANY (${wanted})`.execute(db);
  await update(sql`owner_id = ${userId}`, of('own', 'own and voted'));
  await update(sql`hidden_at = now()`, of('hidden'));
  await update(sql`expires_at = now() - interval '1 minute'`, of('expired', 'retired'));
  // Expired a moment ago, and no job has run since.
  await update(sql`listed = true`, of('expired'));
  const voted = of('voted', 'own and voted');
  if (voted.length > 0) await vote(userId, voted);
  return { open: of('open') };
}

test('a user who votes through the feed sees every open project once, and the total is exact at each step [S7.3 R11]', async () => {
  const [user, other] = [await insertUser(db), await insertUser(db)];
  const property = fc.asyncProperty(fc.array(kinds, { maxLength: 180 }), fc.nat(40_000), async (list, number) => {
    const { open } = await arrange(list, user, other);
    const seen: number[] = [];
    for (;;) {
      const { projects, total } = await listFeed(db, user, day(number));
      expect(total).toBe(open.length - seen.length);
      expect(projects).toHaveLength(Math.min(50, total));
      if (total === 0) break;
      // Not all of them: the next page then mixes old and new ones.
      const page = projects.slice(0, 37).map(({ id }) => id);
      seen.push(...page);
      await vote(user, page);
    }
    expect(sorted(seen)).toEqual(open);
  });
  await fc.assert(property, runs(25));
});

test('the order stays for a day: votes and new listings move no project past another [R11]', async () => {
  await fresh();
  const [user, other] = [await insertUser(db), await insertUser(db)];
  await insertMany(other, 120);
  const before = await idsOf(user);
  expect(await idsOf(user)).toEqual(before);
  await vote(user, before.slice(5, 15));
  await insertMany(other, 20);
  const after = await idsOf(user);
  const stayed = before.filter((id) => after.includes(id));
  expect(stayed.length).toBeGreaterThan(20);
  expect(after.filter((id) => before.includes(id))).toEqual(stayed);
});

test('the next day and the next user have another order and choice [R11]', async () => {
  await fresh();
  const [user, other] = [await insertUser(db), await insertUser(db)];
  await insertMany(other, 400);
  const mine = await idsOf(user);
  for (const others of [await idsOf(user, DAY + 1), await idsOf(user + 1), await idsOf(user, DAY - 1)]) {
    expect(sorted(others)).not.toEqual(sorted(mine));
  }
  await fresh();
  await insertMany(other, 30);
  const [today, tomorrow] = [await idsOf(user), await idsOf(user, DAY + 1)];
  expect(sorted(tomorrow)).toEqual(sorted(today));
  expect(tomorrow).not.toEqual(today);
});

/** How often each item occurs. */
const tally = (items: number[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};

test('no project is first more often because of its place, even after the largest gap of the walk [R11]', async () => {
  await fresh();
  const other = await insertUser(db);
  // All in one tenth of the circle: nine of ten walks begin at the same project.
  await sql`
    INSERT INTO projects (id, slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
    OVERRIDING SYSTEM VALUE
    SELECT id, 'near-' || id, 'Near', 'DeFi', 'Near', '0', 'near', ${other}, now() + interval '31 days'
    FROM generate_series(1000000, 1001000) id WHERE hashint8extended(id, 0) BETWEEN 0 AND 1844674407370955161
    ORDER BY hashint8extended(id, 0) LIMIT 25`.execute(db);
  const firsts: number[] = [];
  const users = Array.from({ length: 1250 }, (_, index) => index + 1_000_000);
  for (let from = 0; from < users.length; from += 10) {
    const orders = await Promise.all(users.slice(from, from + 10).map((id) => idsOf(id)));
    firsts.push(...orders.map(([first = 0]) => first));
  }
  const counts = [...tally(firsts).values()];
  expect(counts).toHaveLength(25);
  // 50 each by chance, give or take 7.
  expect(Math.min(...counts)).toBeGreaterThan(12);
  expect(Math.max(...counts)).toBeLessThan(110);
});

test('an expired listing leaves the index of listed projects, and a renewal restores it [R11 R19]', async () => {
  await fresh();
  const user = await insertUser(db);
  const id = await insertProject(db);
  const [open = 0] = await insertProjects(db, 1);
  const listed = async () =>
    (await db.selectFrom('projects').select('listed').where('id', '=', id).executeTakeFirstOrThrow()).listed;
  await setProject(db, id, { expiresAt: sql`now()` });
  await setProject(db, id, { listed: true });
  expect(await idsOf(user)).toEqual([open]);
  expect(await delistExpired(server.services)).toBe(1);
  expect(await listed()).toBe(false);
  expect(await delistExpired(server.services)).toBe(0);
  for (const [set, expected] of [
    [{ expiresAt: sql<Date>`now() + interval '31 days'` }, true],
    [{ hiddenAt: sql<Date>`now()` }, false],
    [{ expiresAt: sql<Date>`now() + interval '62 days'` }, false],
    [{ hiddenAt: null }, true],
  ] as const) {
    await setProject(db, id, set);
    expect(await listed()).toBe(expected);
    expect((await idsOf(user)).includes(id)).toBe(expected);
  }
});
