import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { listCatalogue, listImports } from './listings/catalogue/queries.ts';
import { listAppeals } from './panel/moderation/appeals.ts';
import { listAudit } from './books/audit.ts';
import { listMarkedRows } from './panel/moderation/marks.ts';
import { listModeratedProjects, listModeratedReplies, listModeratedReviews } from './panel/moderation/moderation.ts';
import { listQueue } from './money/payouts/queue.ts';
import { listDecisions, listVotesOf } from './panel/moderation/votes.ts';
import { readDays } from './panel/overview/days.ts';
import { readQueue } from './panel/overview/queues.ts';
import { listNotices } from './people/notices/queries.ts';
import { listReports } from './panel/reports/queries.ts';
import type { Page, PageQuery } from './kit/http/pages.ts';
import { listPaymentRows } from './money/payments/queries.ts';
import { listOwned } from './listings/projects/queries.ts';
import { listReviews } from './people/reviews/queries.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertProjects, insertUser } from '#lab/testing/builders.ts';
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
import { listActivity } from './people/activity/queries.ts';
import { listVotes } from './people/users/queries.ts';
import { listOwn } from './money/withdrawals/queries.ts';

const server = await createTestApp();
const { db, cache } = server.services;
const ROWS = 40;
const userId = await insertUser(db);
const projectId = await insertProject(db);
// Most rows are those of others, so that a way through all of them does not look cheap.
const otherId = await insertUser(db);
await insertActivity(db, otherId, 100 * ROWS);
await insertWithdrawals(db, otherId, 100 * ROWS);
await insertPayments(db, otherId, 100 * ROWS);
await insertReviews(db, await insertProject(db), otherId, 100 * ROWS);
await sql`UPDATE withdrawals SET state = 'rejected'`.execute(db);
await sql`INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
  SELECT 'other-' || n, 'Other', 'DeFi', 'Of others', '', 'other', ${otherId}, now() + interval '1 day'
  FROM generate_series(1, ${100 * ROWS}) n`.execute(db);
await insertReviews(db, projectId, userId, ROWS);
await insertReviews(db, projectId, userId, ROWS, { hidden: true });
await insertActivity(db, userId, ROWS);
await insertWithdrawals(db, userId, ROWS);
await insertPayments(db, userId, ROWS, 'unclaimed');
await insertVotes(db, userId, ROWS);
await insertAppeals(db, otherId, ROWS);
await insertDecisions(db, userId);
await insertReplies(db, projectId, { hidden: true });
await insertNotices(db, otherId, 100 * ROWS);
await insertNotices(db, userId, ROWS);
await insertReports(db, ROWS);
await insertAuditLines(db, ROWS, 'planned');
await insertProjects(db, ROWS, { ownerId: userId, hidden: true });
await sql`ANALYZE`.execute(db);

type List = (from: Db, page: PageQuery) => Promise<Page<unknown>>;
const LISTS: [name: string, list: List, sorts?: boolean][] = [
  ['reviews of a project', (from, page) => listReviews({ replica: from, cache }, projectId, page)],
  ['activity', (from, page) => listActivity(from, userId, page)],
  ['own withdrawals', (from, page) => listOwn(from, userId, page)],
  ['own payments', (from, page) => listPaymentRows(from, { userId }, page)],
  ['own projects', (from, page) => listOwned(from, userId, page)],
  // An index by time would be a write more for each vote; a user's votes are found by their key and sorted.
  ['own votes', (from, page) => listVotes({ db: from, config: server.services.config }, userId, page), true],
  ['withdrawal queue', (from, page) => listQueue(from, { state: 'requested' }, page)],
  ['settled withdrawals', (from, page) => listQueue(from, { state: 'paid' }, page)],
  ['all withdrawals', (from, page) => listQueue(from, {}, page)],
  ['payments to settle', (from, page) => listPaymentRows(from, { state: 'unclaimed' }, page)],
  ['look-alike names', listMarkedRows, true],
  ['catalogue', (from, page) => listCatalogue(from, page), true],
  ['imports', (from, page) => listImports(from, page)],
  ['all payments', (from, page) => listPaymentRows(from, {}, page)],
  ['open appeals', (from, page) => listAppeals(from, 'open', page)],
  ['answered appeals', (from, page) => listAppeals(from, 'answered', page)],
  ['votes set aside', (from, page) => listDecisions(from, page)],
  ['votes of a user', (from, page) => listVotesOf(from, userId, page)],
  ['audit log', (from, page) => listAudit(from, page)],
  ['audit log of a person', (from, page) => listAudit(from, { ...page, actor: 'server' })],
  ['hidden projects', (from, page) => listModeratedProjects(from, page)],
  ['hidden replies', (from, page) => listModeratedReplies(from, page)],
  ['notices', (from, page) => listNotices(from, userId, page)],
  ['reports', (from, page) => listReports(from, page)],
  ['hidden reviews', (from, page) => listModeratedReviews(from, page)],
];

async function statementsOf(work: (from: Db) => Promise<unknown>): Promise<CompiledQuery[]> {
  const nodes: [RootOperationNode, CompiledQuery['queryId']][] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => (nodes.push([node, queryId]), node),
    transformResult: async ({ result }) => result,
  };
  await work(db.withPlugin(recorder));
  return nodes.map(([node, queryId]) => db.getExecutor().compileQuery(node, queryId));
}

async function planOf({ sql: text, parameters }: CompiledQuery): Promise<string> {
  return db.connection().execute(async (connection) => {
    // With so few rows a sequential scan would win; what is asked is whether an index can do it.
    for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort'])
      await connection.executeQuery(CompiledQuery.raw(`SET enable_${way} = off`));
    const { rows } = await connection.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`EXPLAIN ${text}`, [...parameters]),
    );
    await connection.executeQuery(CompiledQuery.raw('RESET ALL'));
    return rows.map((row) => Object.values(row)[0]).join('\n');
  });
}

test.each(LISTS)('an index gives the pages of %s in their order [S9.4]', async (_name, list, sorts = false) => {
  const { nextCursor } = await list(db, { limit: 5 });
  for (const cursor of [undefined, ...(nextCursor === null ? [] : [nextCursor])]) {
    const statements = await statementsOf((from) => list(from, { limit: 5, cursor }));
    const pages = statements.filter((statement) => / order by .* limit /s.test(statement.sql));
    expect(pages).toHaveLength(1);
    for (const page of pages) {
      const plan = await planOf(page);
      expect(plan).not.toMatch(/Seq Scan on (?!users|projects|project_stats)/);
      // Nor one that is read from its beginning for rows that are not wanted. A few rows are looked at for a vote that a later one replaces,
      // for its newest opinion, for the decision about it, for the owner of its project, and for its changes of identity; votes and changes are merged in their order.
      const lookUps = String.raw`\(\(SubPlan \d+\) = v(?:otes)?\.period\)|\(c\.said_at IS NULL\)|\(cast_at = \w+\.\w+\)|\(+owner_id = \w+\.user_id\)|\(NOT is_same\)`;
      expect(sorts ? '' : plan).not.toMatch(new RegExp(`Sort(?! Key)|(?<!Join )Filter:(?! (?:${lookUps}))`));
    }
  }
});

test('votes that replace others are found by a separate index, not among all votes [R45]', async () => {
  const users = 50;
  await sql`INSERT INTO votes (user_id, project_id, bullish, created_at)
    SELECT 1000000 + u, p.id, true, now() FROM generate_series(1, ${users}) u, (SELECT id FROM projects ORDER BY id LIMIT 400) p`.execute(
    db,
  );
  await sql`ANALYZE votes`.execute(db);
  const { rows } = await sql<
    Record<string, string>
  >`EXPLAIN SELECT state FROM vote_states WHERE user_id = 1000001`.execute(db);
  const plan = rows.map((row) => Object.values(row)[0]).join('\n');
  expect(plan).toContain('votes_later_periods_idx');
  expect(plan).not.toMatch(/Seq Scan on votes (?!_)/);
});

test('the overview reads open items and its days by indexes, and never the votes [R54]', async () => {
  const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const days = Array.from({ length: 90 }, (_, i) => dayOf(89 - i));
  const queues = (['withdrawals', 'payments', 'reports', 'appeals'] as const).map(
    (name) => (from: Db) => readQueue(from, name),
  );
  for (const read of [(from: Db) => readDays(from, days), ...queues]) {
    for (const statement of await statementsOf(read)) {
      const plan = await planOf(statement);
      // Appeals are few: a user may have one open.
      expect(plan).not.toMatch(/Seq Scan on (?!appeals)/);
      expect(plan).not.toMatch(/ on votes/);
    }
  }
});
