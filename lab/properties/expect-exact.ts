import { sql } from 'kysely';
import { expect } from 'vitest';
import { LISTING_DAYS, VOTE_WINDOW_HOURS } from '#shared/constants.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { balanceMist } from '../testing/chain.ts';
import { FEES } from './model.ts';
import type { Scenario } from './scenario.ts';

/** Expects that windows hold the votes since their first one, and that projects count the newest opinion of each user. */
async function expectVotesExact({ db, model, userIds, projects }: Scenario): Promise<void> {
  const { rows } = await sql<{ userId: number; stored: number; startsRight: boolean }>`
    SELECT u.user_id, CASE WHEN w.is_open THEN window_votes ELSE 0 END AS stored,
      CASE WHEN w.is_open THEN window_started_at END IS NOT DISTINCT FROM (
        SELECT min(v.created_at) FROM votes v
        WHERE v.user_id = u.user_id AND v.project_id = ANY (${projects}) AND v.created_at > now() - ${VOTE_WINDOW_HOURS} * interval '1 hour') AS starts_right
    FROM user_stats u CROSS JOIN LATERAL (
      SELECT coalesce(u.window_started_at > now() - ${VOTE_WINDOW_HOURS} * interval '1 hour', false) AS is_open) w
    WHERE u.user_id = ANY (${userIds})`.execute(db);
  for (const { userId, stored, startsRight } of rows)
    expect([stored, startsRight]).toEqual([model.window.get(userId) ?? 0, true]);
  const counters = await db.selectFrom('projectStats').selectAll().execute();
  for (const { projectId, bullish, bearish } of counters) {
    const newest = [...model.votes]
      .filter(([name]) => name.endsWith(`-${projectId}`))
      .flatMap(([, votes]) => votes.slice(-1));
    if (newest.length === 0) continue;
    const up = newest.filter(({ said }) => said.at(-1)).length;
    expect([bullish, bearish]).toEqual([up, newest.length - up]);
  }
}

export async function expectTokensExact(scenario: Scenario): Promise<void> {
  const { db, model, userIds } = scenario;
  expect(await findDifferences(db)).toEqual([]);
  await expectVotesExact(scenario);
  const stored = await db
    .selectFrom('userStats')
    .select(['userId', 'balance'])
    .where('userId', 'in', userIds)
    .execute();
  expect(new Map(stored.map(({ userId, balance }) => [userId, balance]))).toEqual(
    new Map(userIds.map((id) => [id, model.balanceOf(id)])),
  );
  for (const { balance } of stored) expect(balance).toBeGreaterThanOrEqual(0);
}

const DONE = new Set(['fulfilled', 'unclaimed']);

/** Expects that each payment has done its work once, all SUI is accounted for, and no listing ends before what was paid for it. */
export async function expectMoneyExact(scenario: Scenario): Promise<void> {
  const { chain, db, model, recipient } = scenario;
  await scenario.runJobs();
  const rows = await db.selectFrom('payments').select(['digest', 'state']).where('digest', 'is not', null).execute();
  const statesOf = (digest: string): string[] => rows.filter((row) => row.digest === digest).map(({ state }) => state);
  for (const digest of model.paid.keys()) {
    expect(statesOf(digest).filter((state) => DONE.has(state))).toHaveLength(1);
  }
  for (const digest of model.fulfilled.keys()) expect(statesOf(digest)).toContain('fulfilled');
  const paidMist = [...model.paid.values()].reduce((sum, { purpose }) => sum + FEES[purpose], 0n);
  expect(await balanceMist(chain, recipient)).toBe(paidMist);
  await expectListings(scenario);
}

/** Expects one project for each paid submission, and 31 days for it and for each renewal. */
async function expectListings({ db, userIds }: Scenario): Promise<void> {
  const { rows: short } = await sql<{ id: number }>`
    SELECT p.id FROM projects p
    WHERE p.expires_at < p.created_at - interval '1 second' + ${LISTING_DAYS} * interval '1 day' * (1 + (
      SELECT count(*) FROM payments y WHERE y.project_id = p.id AND y.purpose = 'renew' AND y.state = 'fulfilled'))`.execute(
    db,
  );
  expect(short).toEqual([]);
  const { rows: listed } = await sql<{ owner: number; submitted: number; paid: number }>`
    SELECT u.id AS owner,
      (SELECT count(*) FROM projects p WHERE p.owner_id = u.id AND p.transaction_hash IS NOT NULL) AS submitted,
      (SELECT count(*) FROM payments y WHERE y.user_id = u.id AND y.purpose = 'submit' AND y.state = 'fulfilled') AS paid
    FROM unnest(${userIds}::bigint[]) u (id)`.execute(db);
  expect(listed.filter(({ submitted, paid }) => submitted !== paid)).toEqual([]);
}
