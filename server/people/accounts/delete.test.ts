import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { VOTE_REWARD_TOKENS, VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { ERASED } from '#db/tables.ts';
import type { Project } from '#shared/contract/types.ts';
import { ATOM_PATH } from '#shared/site/pages.ts';
import { isGood } from '#record/verify/report.ts';
import { verifySite } from '#record/verify/verify.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { digestVotes } from '#server/record/digests.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { downloadArchive } from '#lab/testing/archive.ts';
import { grantTokens, insertProject, beginPeriod } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser, signInWith } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { leaversOf } from '#lab/testing/leavers.ts';
import { logKey, publishDayAgo } from '#lab/testing/record.ts';
import { giveStanding, letStand } from '#lab/testing/standing.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import type { VotingStatus } from '#shared/contract/types.ts';
import { decideWeek } from '#server/figures/standing/decide-week.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;

const { vote, reviewsOf, columnsWith, findEverywhere, tablesWith, insertTraces, newRegular, cameBack, endWindow } =
  leaversOf(server);

describe('a deletion removes personal data and keeps what others rely on [R55]', () => {
  test('deletion removes everything that identifies the user and keeps votes, ledger and reviews under the number', async () => {
    const { user, name, projects, avatarUrl } = await newRegular();
    const [voted = 0] = projects;
    const picture = await new Client(server.url).get(avatarUrl);
    expect(picture.status).toBe(200);
    await insertTraces(user);
    await downloadArchive(user);
    const own = [...ERASED, 'push_messages', 'push_subscriptions', 'voter_networks'];
    expect(await tablesWith(user.id)).toEqual(expect.arrayContaining(own));
    expect(await deleteAccount(user)).toMatchObject({ status: 200, body: { success: true } });
    expect(user.cookie).toBe('');

    expect(await findEverywhere(user.address.slice(2))).toEqual([]);
    expect(await findEverywhere(name)).toEqual([]);
    const kept = /^(reports|reviews|token_ledger|user_stats|voter_networks|voter_secrets|votes)$/;
    expect((await tablesWith(user.id)).filter((table) => !kept.test(table))).toEqual([]);
    expect(await findEverywhere('leaver')).toEqual([]);
    expect((await new Client(server.url).get(avatarUrl)).status).toBe(404);
    // The rhythm rule needs the networks of a day that it has not compared yet.
    const networks = await sql`SELECT day::text AS day FROM voter_networks WHERE user_id = ${user.id}`.execute(db);
    expect(networks.rows).toEqual([{ day: '2026-01-02' }]);
    expect(await db.selectFrom('userStats').selectAll().where('userId', '=', user.id).execute()).toMatchObject([
      { streak: 0, lastDay: null, barredProjects: null, windowVotes: 32_767 },
    ]);
    const { rows } = await sql`SELECT (SELECT count(*)::int FROM votes v WHERE v.user_id = u.id) AS votes, s.balance,
        to_char(u.created_at AT TIME ZONE 'UTC', 'HH24:MI:SS') AS since, to_char(u.deleted_at AT TIME ZONE 'UTC', 'HH24:MI:SS') AS until
      FROM users u JOIN user_stats s ON s.user_id = u.id WHERE u.id = ${user.id}`.execute(db);
    expect(rows).toEqual([{ votes: 3, balance: 0, since: '00:00:00', until: '00:00:00' }]);
    const [shown] = await reviewsOf(voted);
    expect(shown).toMatchObject({
      content: 'What a reef',
      user: { username: 'Deleted account', walletAddress: '', avatarUrl: null },
    });
    expect(JSON.stringify(shown)).not.toContain(`deleted-${user.id}`);
    const atom = await new Client(server.url).get(ATOM_PATH);
    expect(atom.body).toMatchObject({ text: expect.stringContaining('<name>Deleted account</name>') });
  });

  test('deletion changes nothing of another user', async () => {
    const [{ user }, { user: other }] = [await newRegular(), await newRegular()];
    for (const one of [user, other]) {
      await insertTraces(one);
      await insertProject(db, { ownerId: one.id });
      await grantTokens(db, one.id, 100);
      const request = { userId: one.id, walletAddress: one.address, tokenAmount: 60 };
      expect((await one.post('/api/withdrawals', request)).status).toBe(201);
      await sql`UPDATE withdrawals SET reason = 'Wait' WHERE user_id = ${one.id}`.execute(db);
      await sql`INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, expires_at)
        VALUES (${one.id}, 'submit', 'draft', '{}', 'order', 1, now() + interval '1 hour')`.execute(db);
    }
    await sql`WITH rejected AS (UPDATE withdrawals SET state = 'rejected' WHERE user_id = ${user.id} RETURNING *), released AS (
        INSERT INTO token_ledger (user_id, ref, amount, created_at, kind) SELECT user_id, id, token_amount, now(), 'hold_release' FROM rejected
      )
      UPDATE user_stats s SET balance = balance + token_amount FROM rejected r WHERE s.user_id = r.user_id`.execute(db);
    const everythingOf = async (one: TestUser) =>
      [...(await downloadArchive(one))]
        .filter(([name]) => name !== 'README.txt')
        .map(([name, bytes]) => [name, bytes.toString()]);
    const challenges = () =>
      sql<{
        wallet: string;
      }>`SELECT wallet_address AS wallet FROM auth_challenges WHERE wallet_address = ${other.address}
        UNION ALL SELECT wallet_address FROM admin_login_attempts WHERE wallet_address = ${other.address}`.execute(db);
    const before = [await everythingOf(other), (await challenges()).rows];
    const tables = await tablesWith(other.id);
    expect((await deleteAccount(user, { removeReviews: true })).status).toBe(200);
    expect([await everythingOf(other), (await challenges()).rows]).toEqual(before);
    expect(await tablesWith(other.id)).toEqual(tables);
  });

  test('deletion burns the remaining Snaps, and books, supply and record stay right', async () => {
    const { user } = await newRegular();
    const other = await newRegular();
    await publishDayAgo(services, 1);
    await grantTokens(db, user.id, 500);
    await deleteAccount(user);
    expect(await findDifferences(db)).toEqual([]);
    const { rows } =
      await sql`SELECT amount FROM token_ledger WHERE kind = 'account_burn' AND user_id = ${user.id}`.execute(db);
    expect(rows).toEqual([{ amount: -500 - 2 * VOTE_REWARD_TOKENS }]);
    const fresh = await startServer(server.databaseUrl, { env });
    try {
      await vote(other.user, other.projects[2] ?? 0);
      await publishDayAgo(services, 1);
      await deleteAccount(other.user);
      await vote(await newUser(server), other.projects[0] ?? 0);
      await publishDayAgo(services, 1);
      await digestVotes(services);
      const { checks } = await verifySite({ origin: fresh.url });
      // The Snaps of this test were paid for single votes, which 'Supply' finds.
      const expected = new Set(['Anchors', 'Supply']);
      expect(checks.filter((check) => !isGood([check]) && !expected.has(check.name))).toEqual([]);
    } finally {
      await fresh.close();
    }
    expect(await findDifferences(db)).toEqual([]);
  });

  test('deletion removes reviews when their author asks for it, and keeps their burns in the books', async () => {
    const { user, projects } = await newRegular();
    await sql`UPDATE reviews SET content = ${`Mine ${user.id}`} WHERE user_id = ${user.id}`.execute(db);
    await deleteAccount(user, { removeReviews: true });
    expect(await reviewsOf(projects[0] ?? 0)).toEqual([]);
    expect(await findEverywhere(`Mine ${user.id}`)).toEqual([]);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('listings of a deleted account stay until they end and lead to no number that has voted', async () => {
    const user = await newUser(server);
    const listed = await insertProject(db, { ownerId: user.id });
    const slug = (await new Client(server.url).get<Project>(`/api/projects/${listed}`)).body.slug;
    await vote(user, await insertProject(db));
    await deleteAccount(user);
    const { body } = await new Client(server.url).get<Project>(`/api/projects/${slug}`);
    expect(body).toMatchObject({ id: listed, submittedBy: '', transactionHash: null });
    const { rows } = await sql<{ ownerId: number; votes: number }>`
      SELECT p.owner_id, (SELECT count(*)::int FROM votes v WHERE v.user_id = p.owner_id) AS votes FROM projects p WHERE id = ${listed}`.execute(
      db,
    );
    expect(rows[0]?.ownerId).not.toBe(user.id);
    expect(rows[0]?.votes).toBe(0);
  });
});

test('no column holds the wallet of a deleted account that used every feature [R67]', async () => {
  const panel = await signInAsAdmin(server);
  const { user, name, projects } = await newRegular();
  const [projectId = 0] = projects;
  const hex = user.address.slice(2);
  await insertTraces(user);
  await grantTokens(db, user.id, 500);
  await letStand(db, user.id);
  const ask = async (tokenAmount: number): Promise<number> => {
    const body = { userId: user.id, walletAddress: user.address, tokenAmount };
    return (await user.post<{ withdrawal: { id: number } }>('/api/withdrawals', body)).body.withdrawal.id;
  };
  const [paid, rejected] = [await ask(60), await ask(70)];
  expect(
    (await panel.post(`/api/admin/withdrawals/${rejected}/reject`, { reason: `Not to ${user.address}` })).status,
  ).toBe(200);
  expect((await panel.post(`/api/admin/withdrawals/${paid}/approve`)).status).toBe(200);
  const digest = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
  expect((await panel.post('/api/admin/payouts/record', { withdrawalIds: [paid], digest })).status).toBe(200);
  await sql`INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, chain_id, digest, paid_by, transaction, expires_at)
    VALUES (${user.id}, 'submit', 'fulfilled', '{}', 'receipt', 1, 'chain', 'receipt', ${user.address}, decode(${hex}, 'hex'), now())`.execute(
    db,
  );
  const review = (await reviewsOf(projectId)).find(({ user: author }) => author.username === name);
  const hide = { hidden: true, reason: 'Off topic' };
  expect((await panel.post(`/api/admin/reviews/${review?.id}/moderate`, hide)).status).toBe(200);
  const aside = { projectId, aside: true, reason: `Bought by ${user.address}` };
  expect((await panel.post(`/api/admin/users/${user.id}/votes/moderate`, aside)).status).toBe(200);

  const before = await columnsWith(hex);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['users.wallet_address', 'withdrawals.wallet_address']));
  expect(await deleteAccount(user)).toMatchObject({ status: 200 });
  // Receipts are kept, under the one number that all deleted accounts share.
  expect(await columnsWith(hex)).toEqual({ 'payments.paid_by': 1, 'payments.transaction': 1 });
  const receipts = await sql`SELECT FROM payments WHERE order_hash = 'receipt' AND user_id = ${user.id}`.execute(db);
  expect(receipts.rows).toEqual([]);
  expect(await columnsWith(name)).toEqual({});
  const { rows } = await sql<{ detail: string }>`
    SELECT detail FROM audit_log WHERE action LIKE 'withdrawal.%' ORDER BY id DESC LIMIT 2`.execute(db);
  expect(rows.map(({ detail }) => detail)).toEqual([
    `Withdrawal ${paid}: 60 Snaps`,
    `Withdrawal ${rejected}: 70 Snaps. Reason: Not to 0x…`,
  ]);
  expect(await findDifferences(db)).toEqual([]);
});

test('the next Sunday excludes undecided votes of a deleted account, so that one coin cannot verify several wallets [R37 R38]', async () => {
  const [gone, decided, kept] = [await newUser(server), await newUser(server), await newUser(server)];
  const projectId = await insertProject(db);
  for (const user of [gone, decided, kept]) await vote(user, projectId);
  await giveStanding(
    db,
    [gone, decided, kept].map(({ id }) => id),
  );
  await sql`UPDATE voter_standing SET sunday = '-infinity'`.execute(db);
  await sql`UPDATE voter_standing SET decided_until = read_on + 1 WHERE user_id = ${decided.id}`.execute(db);
  for (const user of [gone, decided]) await deleteAccount(user);
  const sunday = new Date().toISOString().slice(0, 10);
  await sql`INSERT INTO standing_days (day) SELECT ${sunday}::date - n FROM generate_series(0, 7) n`.execute(db);
  await decideWeek(db, { sunday, minDays: 7 });
  const { rows } =
    await sql`SELECT user_id AS id, state FROM vote_states WHERE project_id = ${projectId} ORDER BY 1`.execute(db);
  expect(rows).toEqual([
    { id: gone.id, state: 'waiting' },
    { id: decided.id, state: 'verified' },
    { id: kept.id, state: 'verified' },
  ]);
  expect(await findDifferences(db)).toEqual([]);
});

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
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a returning wallet may vote again in a new listing period, but never on its own listings [R45 R67]', async () => {
    const user = await newUser(server);
    const [early, late] = [await insertProject(db), await insertProject(db)];
    const own = await insertProject(db, { ownerId: user.id });
    for (const id of [early, late]) expect((await vote(user, id)).status).toBe(200);
    await deleteAccount(user);
    // One period begins before the wallet comes back, the other one after that.
    await beginPeriod(db, early);
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
    await beginPeriod(db, late, own);
    // The server hears of a change that it did not make itself a moment later.
    await vi.waitFor(async () => expect(await seen()).toEqual([late]));
    expect((await vote(back, late)).status).toBe(200);
    expect((await vote(back, own)).status).toBe(409);
    // A later account of the wallet stays barred as well.
    await deleteAccount(back);
    const again = await cameBack(user);
    await endWindow(again);
    for (const id of [early, late, own]) expect((await vote(again, id)).status).toBe(409);
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
