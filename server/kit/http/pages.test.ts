import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runs } from '#shared/testing/property-runs.ts';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import type { Review } from '#shared/contract/reviews.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertUser } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import {
  insertActivity,
  insertAppeals,
  insertAuditLines,
  insertDecisions,
  insertNotices,
  insertPayments,
  insertReplies,
  insertReports,
  insertReviews,
  insertVotes,
  insertWithdrawals,
} from '#lab/testing/lists.ts';
import { walk } from '#lab/testing/walk.ts';

const server = await createTestApp();
const { db } = server.services;
const panel = await signInAsAdmin(server);

/** More than any list showed at once before it had pages. */
const MANY = 230;
const distinct = (rows: readonly unknown[]) => new Set(rows.map((row) => JSON.stringify(row))).size;
/** The rows of a body, or those of its one list. */
const rowsIn = (body: unknown[] | Record<string, unknown>) =>
  [body, ...Object.values(body)].find((value) => Array.isArray(value)) ?? [];

test('every line of activity, withdrawal, payment and vote of a user can be reached [S7.12 R14 R36]', async () => {
  const user = await newUser(server);
  await insertActivity(db, user.id, MANY);
  await insertWithdrawals(db, user.id, MANY);
  await insertPayments(db, user.id, MANY);
  await insertVotes(db, user.id, MANY);
  await insertNotices(db, user.id, MANY);
  const of = `/api/users/${user.id}`;
  for (const path of [`${of}/activity`, `${of}/votes`, `${of}/notices`, '/api/payments', '/api/withdrawals']) {
    const { rows, totals } = await walk(user, path, rowsIn);
    expect([path, rows.length, distinct(rows), new Set(totals)]).toEqual([path, MANY, MANY, new Set([MANY])]);
  }
});

test('the admin reaches every withdrawal, payment, batch, line of audit and moderated row [R33]', async () => {
  const owner = await insertUser(db);
  await sql`TRUNCATE withdrawals, payments, reviews CASCADE`.execute(db);
  await sql`UPDATE projects SET hidden_at = NULL, hidden_reason = NULL`.execute(db);
  await insertWithdrawals(db, owner, 2 * MANY + 70);
  await insertPayments(db, owner, MANY, 'unclaimed');
  await insertAuditLines(db, MANY, 'walked');
  const project = await insertProject(db, { name: 'Walked' });
  await insertReviews(db, project, owner, MANY, { hidden: true });
  await Promise.all(Array.from({ length: 120 }, () => insertProject(db, { ownerId: owner, hidden: true })));

  const queue = await walk<AdminWithdrawal>(panel, '/api/admin/withdrawals?state=requested');
  const ids = queue.rows.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(ids).size).toBe(2 * MANY + 70);
  expect(queue.totals[0]).toBe(2 * MANY + 70);
  const all = await walk<AdminWithdrawal>(panel, '/api/admin/withdrawals');
  expect(all.rows.map(({ id }) => id)).toEqual(ids.toReversed());

  await insertAppeals(db, owner, MANY);
  await insertVotes(db, owner, MANY);
  await insertDecisions(db, owner);
  await insertReplies(db, project, { hidden: true });
  await insertReports(db, MANY);
  const lists = [
    'payments?state=unclaimed',
    'audit?q=walked',
    'appeals?state=open',
    'appeals?state=answered',
    'moderation/votes',
    `moderation/votes?voterId=${owner}`,
    'moderation/reviews',
    'moderation/replies',
    'reports',
  ];
  for (const [path, count] of [...lists.map((path) => [path, MANY] as const), ['moderation/projects', 120] as const]) {
    const { rows, totals } = await walk(panel, `/api/admin/${path}`, rowsIn);
    expect([path, distinct(rows), totals[0]]).toEqual([path, count, count]);
  }
});

test('every active project can be reached by a visitor, and every own project by its owner [S7.3 S7.15]', async () => {
  await sql`UPDATE projects SET hidden_at = now()`.execute(db);
  const owner = await newUser(server);
  // Equal numbers of votes: the ties are broken by the id.
  const created: number[] = [];
  for (let i = 0; i < 130; i += 1) created.push(await insertProject(db, { ownerId: owner.id, bullish: i % 3 }));
  const active = await walk<{ id: number; totalVotes: number }>(new Client(server.url), '/api/projects');
  expect(active.rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(created);
  const votes = active.rows.map(({ totalVotes }) => totalVotes);
  expect(votes).toEqual(votes.toSorted((a, b) => b - a));
  expect(active.totals[0]).toBe(130);
  const own = await walk<{ id: number }>(owner, `/api/projects/wallet/${owner.address}?limit=40`);
  expect(own.rows.map(({ id }) => id)).toEqual(created.toReversed());
  expect([own.pages, own.totals[0]]).toEqual([4, 130]);
});

describe('the query of a list is checked [S7.26]', () => {
  let user: TestUser;
  let project: number;
  beforeAll(async () => {
    user = await newUser(server);
    project = await insertProject(db);
  });
  const lists = allEndpoints().flatMap(([name, { access, path, pages }]) =>
    pages ? [{ name, access, path, pages }] : [],
  );
  const read = ({ access, path }: (typeof lists)[number], query: string) => {
    const ids: Record<string, string | number> = { id: access === 'self' ? user.id : project, address: user.address };
    const url = path.replace(/\{(\w+)\}/g, (_, parameter: string) => String(ids[parameter]));
    return (access === 'admin' ? panel : user).get<{ error: string; message: string }>(`${url}?${query}`);
  };

  test('every list of the contract has pages, except for those that are whole or short', () => {
    const whole = new Set([
      'projects.projectLeaderboard',
      'auth.listSessions',
      'trends.listSimilar',
      'projects.findListed',
    ]);
    const endless = allEndpoints().filter(
      ([name, { response, pages }]) => response instanceof z.ZodArray && !pages && !whole.has(name),
    );
    expect(endless.map(([name]) => name)).toEqual([]);
    expect(lists.length).toBeGreaterThan(10);
  });

  test.each(lists)('$name refuses a made-up cursor and says why', async (list) => {
    const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { headers } = await read(list, 'limit=1');
    const cursors = [
      'x',
      '',
      'null',
      made([]),
      made(['made-up', 1]),
      made({ id: 1 }),
      made(['activity:1', "1' OR true"]),
    ];
    for (const cursor of [...cursors, `${headers.get('x-next-cursor') ?? made(['x', 9])}A`]) {
      const response = await read(list, `cursor=${encodeURIComponent(cursor)}`);
      expect(response).toMatchObject({
        status: 400,
        body: { error: 'invalid_cursor', field: 'cursor', message: expect.stringMatching(/^This cursor is not valid/) },
      });
    }
    expect((await read(list, 'cursor=a&cursor=b')).status).toBe(400);
    expect((await read(list, `cursor=${'x'.repeat(201)}`)).body.message).toContain('at most 200 characters');
  });

  test.each(lists)('$name bounds the size of a page and says how', async (list) => {
    for (const limit of ['0', '-1', '1.5', 'all', String(list.pages.max + 1), '1e9', '']) {
      const { status, body } = await read(list, `limit=${limit}`);
      expect(status).toBe(400);
      expect(body.message).toContain(`The limit must be a whole number from 1 to ${list.pages.max}`);
    }
    expect((await read(list, `limit=${list.pages.max}`)).status).toBe(200);
  });

  test('a cursor of one list is rejected by another', async () => {
    const other = await insertProject(db);
    await insertReviews(db, project, user.id, 3);
    const { headers } = await user.get(`/api/projects/${project}/reviews?limit=1`);
    const cursor = headers.get('x-next-cursor') ?? '';
    expect((await user.get(`/api/projects/${project}/reviews?cursor=${cursor}`)).status).toBe(200);
    expect((await user.get(`/api/projects/${other}/reviews?cursor=${cursor}`)).status).toBe(400);
  });
});

test('each old row that stays is read exactly once, even if rows come and go while a user pages [S7.5 R14]', async () => {
  const step = fc.record({ added: fc.integer({ min: 0, max: 5 }), hidden: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      async (count, limit, steps) => {
        const [project, author] = [await insertProject(db), await insertUser(db)];
        await insertReviews(db, project, author, count);
        const before = await db.selectFrom('reviews').select('id').where('projectId', '=', project).execute();
        const hidden = new Set<number>();
        let turn = 0;
        async function disturb(): Promise<void> {
          const { added, hidden: hides } = steps[turn % steps.length] ?? { added: 0, hidden: false };
          turn += 1;
          await insertReviews(db, project, author, added);
          const victim = before[(turn * 7) % before.length]?.id;
          if (!hides || victim === undefined) return;
          hidden.add(victim);
          await db
            .updateTable('reviews')
            .set({ hiddenAt: sql`now()` })
            .where('id', '=', victim)
            .execute();
        }
        const { rows } = await walk<Review>(
          new Client(server.url),
          `/api/projects/${project}/reviews?limit=${limit}`,
          undefined,
          disturb,
        );
        const ids = rows.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(ids.toSorted((a, b) => b - a));
        const stayed = before.map(({ id }) => id).filter((id) => !hidden.has(id));
        expect(ids).toEqual(expect.arrayContaining(stayed));
      },
    ),
    runs(25),
  );
});
