import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import type { Supply } from '#shared/contract/supply.ts';
import type { Project } from '#shared/contract/types.ts';
import { ATOM_PATH } from '#shared/pages.ts';
import { isGood } from '#record/verify/report.ts';
import { verifySite } from '#record/verify/verify.ts';
import { refreshTopVoters } from '#server/voting/leaderboard/queries.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { digestVotes } from '#server/record/digests.ts';
import { countVerified } from '#server/figures/standing/count-verified.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { downloadArchive } from '#lab/testing/archive.ts';
import { grantTokens, insertProject } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { columnsWith } from '#lab/testing/columns-with.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { leaversOf } from '#lab/testing/leavers.ts';
import { logKey, publishAll } from '#lab/testing/record.ts';
import { countAllVotes, letStand } from '#lab/testing/standing.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;

const { vote, reviewsOf, findEverywhere, tablesWith, insertTraces, newRegular } = leaversOf(server);

describe('a deletion removes personal data and keeps what others rely on [R55]', () => {
  test('deletion removes everything that identifies the user and keeps votes, ledger and reviews under the number', async () => {
    const { user, name, projects, avatarUrl } = await newRegular();
    const [voted = 0] = projects;
    const picture = await new Client(server.url).get(avatarUrl);
    expect(picture.status).toBe(200);
    await insertTraces(user);
    await downloadArchive(user);
    const own =
      'activity appeals archive_requests asked_again daily_decks holder_reads holder_standing notices push_messages push_settings push_subscriptions sessions standing_reads terms_consents voter_networks'.split(
        ' ',
      );
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
    await publishAll(services);
    await grantTokens(db, user.id, 500);
    const before = (await new Client(server.url).get<Supply>('/api/supply')).body;
    await deleteAccount(user);
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
    const left = 500 + 2 * VOTE_REWARD_TOKENS;
    const fresh = await startServer(server.databaseUrl, { env });
    try {
      const { body: supply } = await new Client(fresh.url).get<Supply>('/api/supply');
      expect(supply).toMatchObject({
        issued: before.issued,
        burned: before.burned + left,
        liabilities: before.liabilities - left,
        differing: 0,
      });
      await vote(other.user, other.projects[2] ?? 0);
      await publishAll(services);
      await deleteAccount(other.user);
      await vote(await newUser(server), other.projects[0] ?? 0);
      await publishAll(services);
      await digestVotes(services);
      const { checks } = await verifySite({ origin: fresh.url });
      expect(checks.filter((check) => !isGood([check]) && check.name !== 'Anchors')).toEqual([]);
    } finally {
      await fresh.close();
    }
    await countAllVotes(services);
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

describe('no column of any table leads from the number to the wallet [R67]', () => {
  test('no column holds the wallet of a deleted account that used every feature', async () => {
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
    const batch = await panel.post<{ batchId: string }>('/api/admin/payouts', { withdrawalIds: [paid] });
    const transactionHash = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
    expect((await panel.post(`/api/admin/payouts/${batch.body.batchId}/execute`, { transactionHash })).status).toBe(
      200,
    );
    // Like a payout that the server signed and sent: its bytes name its recipients.
    await sql`UPDATE payout_batches SET transaction = decode(${`00${hex}00`}, 'hex'), signature = 'signed' WHERE id = ${batch.body.batchId}`.execute(
      db,
    );
    await sql`INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, chain_id, digest, paid_by, transaction, expires_at)
      VALUES (${user.id}, 'submit', 'fulfilled', '{}', 'receipt', 1, 'chain', 'receipt', ${user.address}, decode(${hex}, 'hex'), now())`.execute(
      db,
    );
    const review = (await reviewsOf(projectId)).find(({ user: author }) => author.username === name);
    const hide = { hidden: true, reason: 'Off topic' };
    expect((await panel.post(`/api/admin/reviews/${review?.id}/moderate`, hide)).status).toBe(200);
    const aside = { projectId, aside: true, reason: `Bought by ${user.address}` };
    expect((await panel.post(`/api/admin/users/${user.id}/votes/moderate`, aside)).status).toBe(200);

    const before = await columnsWith(db, hex);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'users.wallet_address',
        'withdrawals.wallet_address',
        'payout_items.wallet_address',
        'payout_batches.transaction',
      ]),
    );
    expect(await deleteAccount(user)).toMatchObject({ status: 200 });
    // Receipts are kept, under the one number that all deleted accounts share.
    expect(await columnsWith(db, hex)).toEqual({ 'payments.paid_by': 1, 'payments.transaction': 1 });
    const receipts = await sql`SELECT FROM payments WHERE order_hash = 'receipt' AND user_id = ${user.id}`.execute(db);
    expect(receipts.rows).toEqual([]);
    expect(await columnsWith(db, name)).toEqual({});
    const { rows } = await sql<{ detail: string }>`
      SELECT detail FROM audit_log WHERE action LIKE 'withdrawal.%' ORDER BY id DESC LIMIT 2`.execute(db);
    expect(rows.map(({ detail }) => detail)).toEqual([
      `Withdrawal ${paid}: 60 Snaps`,
      `Withdrawal ${rejected}: 70 Snaps. Reason: Not to 0x…`,
    ]);
    expect(await findDifferences(db)).toEqual([]);
  });
});

describe('standing [R37]', () => {
  const stand = async (user: TestUser, lastDayAgo: number) => {
    await sql`INSERT INTO voter_standing (user_id, read_on, state, history_read, history_held)
      VALUES (${user.id}, now()::date - ${lastDayAgo}::int, 'standing', (-1)::bit(64), (-1)::bit(64))`.execute(db);
    await sql`UPDATE users SET created_at = now() - interval '90 days' WHERE id = ${user.id}`.execute(db);
    await sql`UPDATE user_stats SET last_day = (now() AT TIME ZONE 'UTC')::date - ${lastDayAgo}::int WHERE user_id = ${user.id}`.execute(
      db,
    );
  };

  test('undecided votes of a deleted account are no longer verified, so one coin cannot stand for several wallets', async () => {
    const [recent, justRead, longGone] = [await newUser(server), await newUser(server), await newUser(server)];
    const projectId = await insertProject(db);
    for (const [user, days] of [
      [recent, 1],
      [justRead, 34],
      [longGone, 35],
    ] as const) {
      await vote(user, projectId);
      await stand(user, days);
    }
    await countAllVotes(services);
    const verified = async () =>
      (await new Client(server.url).get<Project>(`/api/projects/${projectId}`)).body.verified.bullish;
    expect(await verified()).toBe(3);
    // The vote of one of them was decided before: it stays unchanged.
    await sql`INSERT INTO vote_decisions (user_id, project_id, period, cast_at, state, days_read, days_held)
      SELECT user_id, project_id, period, created_at, 'verified', 35, 35 FROM votes WHERE user_id = ${longGone.id}`.execute(
      db,
    );
    await deleteAccount(longGone);
    await countAllVotes(services);
    await deleteAccount(recent);
    expect(await countVerified(services)).toBe(true);
    await server.allNotified();
    expect(await verified()).toBe(2);
    await deleteAccount(justRead);
    expect(await countVerified(services)).toBe(true);
    await server.allNotified();
    expect(await verified()).toBe(1);
    expect(await findDifferences(db)).toEqual([]);
  });
});
