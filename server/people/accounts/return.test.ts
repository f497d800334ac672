import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import type { Project, VotingStatus } from '#shared/contract/types.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { Client, newUser, signInWith, type TestUser } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { leaversOf } from '#lab/testing/leavers.ts';
import { logKey } from '#lab/testing/record.ts';
import { countAllVotes } from '#lab/testing/standing.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;

const { vote, cameBack, endWindow, newRegular } = leaversOf(server);
const feedOf = async (user: TestUser) =>
  (await user.get<Project[]>(`/api/projects?userId=${user.id}`)).body.map(({ id }) => id);

describe('the same wallet comes back [R55 R7]', () => {
  test('a returning wallet gets an empty account and cannot vote again on what it voted on', async () => {
    const { user, projects } = await newRegular();
    const [first = 0, second = 0, third = 0] = projects;
    const own = await insertProject(db, { ownerId: user.id });
    await deleteAccount(user);
    const back = await cameBack(user);
    expect(back.id).not.toBe(user.id);
    const { body: stats } = await back.get(`/api/users/${back.id}/stats`);
    expect(stats).toMatchObject({ totalVotes: 0, tokenBalance: 0, tokensEarned: 0, streak: 0 });
    expect((await back.get(`/api/users/${back.id}`)).body).toMatchObject({ username: null, avatarUrl: null });
    await endWindow(back);

    const feed = await feedOf(back);
    for (const id of [first, second, own]) expect(feed).not.toContain(id);
    expect(feed).toContain(third);
    for (const id of [first, second, own])
      expect(await vote(back, id)).toMatchObject({ status: 409, body: { error: 'already_voted' } });
    expect((await back.get(`/api/projects/${first}/own-vote`)).body).toMatchObject({ canVote: 'barred', vote: null });
    expect((await vote(back, third)).status).toBe(200);

    await deleteAccount(back);
    const again = await cameBack(user);
    await endWindow(again);
    for (const id of [first, second, third, own]) expect((await vote(again, id)).status).toBe(409);
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a returning wallet may vote again in a new listing period, but never on its own listings [R45 R67]', async () => {
    const user = await newUser(server);
    const [early, late] = [await insertProject(db), await insertProject(db)];
    const own = await insertProject(db, { ownerId: user.id });
    const beginPeriod = (...ids: number[]) =>
      sql`UPDATE projects SET period_starts = period_starts || clock_timestamp() WHERE id = ANY (${ids}::bigint[])`.execute(
        db,
      );
    for (const id of [early, late]) expect((await vote(user, id)).status).toBe(200);
    await deleteAccount(user);
    // One period begins before the wallet comes back, the other one after that.
    await beginPeriod(early);
    const back = await cameBack(user);
    await endWindow(back);
    const inSql = async (): Promise<number[]> => {
      const { rows } = await sql<{ ids: number[] }>`
        SELECT coalesce(array_agg(id::int), '{}') AS ids FROM feed_of(${back.id}, 1, 1000)`.execute(db);
      return rows[0]?.ids ?? [];
    };
    const canVote = async (id: number) => (await back.get(`/api/projects/${id}/own-vote`)).body['canVote'];
    const seen = async () => {
      const [feed, fallback] = [await feedOf(back), await inSql()];
      expect([early, late, own].map((id) => feed.includes(id))).toEqual(
        [early, late, own].map((id) => fallback.includes(id)),
      );
      return [early, late, own].filter((id) => feed.includes(id));
    };
    await vi.waitFor(async () => expect(await seen()).toEqual([early]));
    expect([await canVote(early), await canVote(late), await canVote(own)]).toEqual(['yes', 'barred', 'barred']);
    expect((await vote(back, late)).status).toBe(409);
    expect((await vote(back, early)).status).toBe(200);
    await beginPeriod(late, own);
    // The server hears of a change that it did not make itself a moment later.
    await vi.waitFor(async () => expect(await seen()).toEqual([late]));
    expect((await vote(back, late)).status).toBe(200);
    expect((await vote(back, own)).status).toBe(409);
    // A later account of the wallet stays barred as well.
    await deleteAccount(back);
    const again = await cameBack(user);
    await endWindow(again);
    for (const id of [early, late, own]) expect((await vote(again, id)).status).toBe(409);
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a wallet opens at most three new accounts a day after deletions', async () => {
    const user = await newUser(server);
    await deleteAccount(user);
    const users = async () => (await db.selectFrom('users').select('id').execute()).length;
    for (let times = 0; times < 3; times += 1) await deleteAccount(await cameBack(user));
    const before = await users();
    const enter = () => signInWith(new Client(server.url), user.wallet);
    const refused = await Promise.all(Array.from({ length: 5 }, enter));
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
    expect(refused[0]?.body).toMatchObject({ error: 'too_many_accounts' });
    expect(await users()).toBe(before);
    await sql`UPDATE deleted_wallets SET returned_from = returned_from - interval '1 day'`.execute(db);
    expect((await enter()).status).toBe(200);
  });

  /** When the wallet of a deleted account, which signs in again, has votes again. */
  const votesFrom = async (back: TestUser): Promise<number> => {
    const { body } = await back.get<VotingStatus>(`/api/users/${back.id}/voting-status`);
    expect(body).toMatchObject({ votesRemaining: 0, totalVotes: VOTES_PER_WINDOW });
    return Date.parse(body.periodEndsAt ?? '');
  };
  const WINDOW_MS = VOTE_WINDOW_HOURS * 3_600_000;

  test('only ACCOUNT_KEY, which is not in the database, recognizes a returning wallet', async () => {
    const before = await newUser(server);
    const [one, two] = [await insertProject(db), await insertProject(db)];
    await vote(before, one);
    await deleteAccount(before);
    const keyed = await startServer(server.databaseUrl, { env: { ...env, ACCOUNT_KEY: logKey() } });
    try {
      const user = await newUser(keyed);
      await vote(user, two);
      await deleteAccount(user);
      const [known, older] = [await newUser(keyed, user.wallet), await newUser(keyed, before.wallet)];
      for (const back of [known, older]) await endWindow(back);
      expect((await vote(known, two)).status).toBe(409);
      expect((await vote(older, one)).status).toBe(409);
      // The later of two deletions counts, whichever key its wallet was hashed with.
      await sql`UPDATE deleted_wallets SET votes_from = votes_from - interval '1 hour'`.execute(db);
      const beforeMs = Date.now();
      await deleteAccount(older);
      expect(await votesFrom(await newUser(keyed, before.wallet))).toBeGreaterThanOrEqual(beforeMs + WINDOW_MS);
      // Nothing in the database tells the wallets that were deleted since the key was set.
      await deleteAccount(known);
      await db.deleteFrom('accountKeys').execute();
      const again = await newUser(keyed, user.wallet);
      expect((await again.get(`/api/projects/${two}/own-vote`)).body).toMatchObject({ canVote: 'barred' });
    } finally {
      await keyed.close();
    }
  });

  test('a sign-in concurrent with the deletion leaves one account at most', async () => {
    const user = await newUser(server);
    const [deleted, ...entered] = await Promise.all([
      deleteAccount(user),
      ...Array.from({ length: 4 }, () => signInWith(new Client(server.url), user.wallet)),
    ]);
    expect(deleted.status).toBe(200);
    expect(entered.map(({ status }) => status).filter((status) => status !== 200 && status !== 401)).toEqual([]);
    const { rows } =
      await sql`SELECT count(*)::int AS accounts FROM users WHERE wallet_address = ${user.address}`.execute(db);
    expect([0, 1]).toContain((rows[0] as { accounts: number }).accounts);
    expect((await sql`SELECT FROM sessions WHERE user_id = ${user.id}`.execute(db)).rows).toEqual([]);
  });
});
