import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { REVIEW_COST_TOKENS, VOTE_REWARD_TOKENS, VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import type { Challenge } from '#shared/contract/auth.ts';
import type { Review } from '#shared/contract/reviews.ts';
import type { Supply } from '#shared/contract/supply.ts';
import type { Project, VotingStatus } from '#shared/contract/types.ts';
import { ATOM_PATH } from '#shared/pages.ts';
import { isGood } from '#verify/report.ts';
import { verifySite } from '#verify/verify.ts';
import { refreshTopVoters } from '../jobs/refresh-top-voters.ts';
import { findDifferences } from '../ledger/check-invariants.ts';
import { digestVotes } from '../record/digests.ts';
import { countVerifiedWhenDue } from '../standing/count-verified.ts';
import { createTestApp, startServer } from '../testing/app.ts';
import { downloadArchive, jsonOf } from '../testing/archive.ts';
import { behindTheTriggers, grantTokens, insertProject, insertProjects, insertUser } from '../testing/builders.ts';
import { Client, newUser, signIn, signInWith, type TestUser } from '../testing/client.ts';
import { columnsWith } from '../testing/columns-with.ts';
import { deleteAccount, deletionChallenge } from '../testing/deletion.ts';
import { pictureUrl } from '../testing/drafts.ts';
import { makeDrawnPage } from '../testing/built-page.ts';
import { logKey, publishAll } from '../testing/record.ts';
import { countAllVotes, letStand } from '../testing/standing.ts';
import { signInAsAdmin } from '../testing/admin-panel.ts';
import { ADMIN_KEYPAIR, newWallet } from '../testing/wallets.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;

const vote = (user: TestUser, projectId: number, voteType = 'bullish') =>
  user.post('/api/votes', { userId: user.id, projectId, voteType });
const review = (user: TestUser, projectId: number, content: string) =>
  user.post(`/api/projects/${projectId}/reviews`, { userId: user.id, content });
const reviewsOf = async (projectId: number) =>
  (await new Client(server.url).get<Review[]>(`/api/projects/${projectId}/reviews`)).body;
const feedOf = async (user: TestUser) =>
  (await user.get<Project[]>(`/api/projects?userId=${user.id}`)).body.map(({ id }) => id);
const cameBack = (user: TestUser) => signIn(new Client(server.url), user.wallet);
/** A window of votes that has ended. */
const endWindow = (user: TestUser) =>
  sql`UPDATE user_stats SET window_started_at = now() - interval '7 hours' WHERE user_id = ${user.id}`.execute(db);

/** Every value of the database as text, with its table; without random values. */
async function findEverywhere(text: string): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.execute(db);
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ hits: number }>`
      SELECT count(*)::int AS hits FROM ${sql.table(name)} t WHERE t::text ILIKE ${`%${text}%`}`.execute(db);
    if (rows[0]?.hits) found.push(name);
  }
  return found;
}

/** Tables that still have a row under a user's number. */
async function tablesWith(userId: number): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    SELECT c.table_name AS name FROM information_schema.columns c JOIN pg_tables t ON t.tablename = c.table_name AND t.schemaname = 'public'
    WHERE c.table_schema = 'public' AND c.column_name = 'user_id' ORDER BY 1`.execute(db);
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql`SELECT FROM ${sql.table(name)} WHERE user_id = ${userId} LIMIT 1`.execute(db);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/**
 * Rows that jobs and forms leave of a user: notices, networks of two days, a reading, barred projects, attempts to sign
 * in.
 */
async function insertTraces(user: TestUser): Promise<void> {
  expect((await user.get(`/api/users/${user.id}/daily-deck`)).status).toBe(200);
  await db
    .insertInto('appeals')
    .values({ userId: user.id, text: `These were mine: ${user.id}` })
    .execute();
  await sql`INSERT INTO notices (user_id, kind, text) VALUES (${user.id}, 'reply', ${`Read this, ${user.id}`})`.execute(
    db,
  );
  await sql`INSERT INTO voter_networks (day, network, user_id)
    SELECT day, ${Buffer.alloc(16, 9)}, ${user.id} FROM unnest(ARRAY['2026-01-01', '2026-01-02']::date[]) day`.execute(
    db,
  );
  await sql`INSERT INTO rhythm_days (day, networks, wallets, votes_set_aside) VALUES ('2026-01-01', 0, 0, 0) ON CONFLICT DO NOTHING`.execute(
    db,
  );
  await sql`INSERT INTO standing_reads (day, reading, place, user_id) VALUES ('2026-01-02', 1, ${user.id}, ${user.id})`.execute(
    db,
  );
  await sql`UPDATE user_stats SET barred_projects = ARRAY[1] WHERE user_id = ${user.id}`.execute(db);
  await sql`INSERT INTO admin_login_attempts (wallet_address, attempts) VALUES (${user.address}, 1)`.execute(db);
  // A sign-in that is not completed.
  expect((await new Client(server.url).post('/api/auth/wallet', { walletAddress: user.address })).status).toBe(401);
}

/** A user with a name, a picture, links, votes, a review, a report, and Snaps. */
async function newRegular(): Promise<{ user: TestUser; name: string; projects: number[]; avatarUrl: string }> {
  const user = await newUser(server);
  const projects = await insertProjects(db, 3);
  await grantTokens(db, user.id, REVIEW_COST_TOKENS);
  const name = `Leaver_${user.id}`;
  const links = { twitterLink: 'https://x.com/leaver', telegramLink: 'https://t.me/leaver' };
  const { body } = await user.patch(`/api/users/${user.id}`, {
    username: name,
    ...links,
    avatarUrl: await pictureUrl(user.id % 200),
  });
  for (const projectId of projects.slice(0, 2)) expect((await vote(user, projectId)).status).toBe(200);
  expect(await review(user, projects[0] ?? 0, 'What a reef')).toMatchObject({ status: 201 });
  const report = { subject: 'project', subjectId: projects[1], reason: 'spam', text: `Ask ${name} about it` };
  expect(await user.post('/api/reports', report)).toMatchObject({ status: 201 });
  return { user, name, projects, avatarUrl: String(body.avatarUrl) };
}

describe('what goes and what stays [R55]', () => {
  test('nothing leads from the number to the person; votes, ledger and reviews stay under it', async () => {
    const { user, name, projects, avatarUrl } = await newRegular();
    const [voted = 0] = projects;
    const picture = await new Client(server.url).get(avatarUrl);
    expect(picture.status).toBe(200);
    await insertTraces(user);
    await downloadArchive(user);
    const own = 'activity appeals archive_requests daily_decks notices sessions standing_reads voter_networks'.split(
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

  test('nothing of another user changes', async () => {
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

  test('Snaps that are left are burned, and the books, the supply and the record stay right', async () => {
    const { user } = await newRegular();
    const other = await newRegular();
    await publishAll(services);
    await grantTokens(db, user.id, 500);
    const before = (await new Client(server.url).get<Supply>('/api/supply')).body;
    await deleteAccount(user);
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
    const left = 500 + 2 * VOTE_REWARD_TOKENS;
    const distDir = await makeDrawnPage();
    const fresh = await startServer(server.databaseUrl, { env, distDir });
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
      await rm(distDir, { recursive: true });
    }
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('reviews go when their author asks for it, and the burns for them stay in the books', async () => {
    const { user, projects } = await newRegular();
    await sql`UPDATE reviews SET content = ${`Mine ${user.id}`} WHERE user_id = ${user.id}`.execute(db);
    await deleteAccount(user, { removeReviews: true });
    expect(await reviewsOf(projects[0] ?? 0)).toEqual([]);
    expect(await findEverywhere(`Mine ${user.id}`)).toEqual([]);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('listings stay until they end, for nobody; listing and payments lead to no number that has voted', async () => {
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

  test('the first among the voters has no rank, and everybody behind moves up', async () => {
    const { user, projects } = await newRegular();
    await vote(user, projects[2] ?? 0);
    const list = async () => {
      const { body } = await new Client(server.url).get<{ topVoters: Array<{ user: { id: number } }> }>(
        '/api/leaderboard',
      );
      return body.topVoters.map((row) => row.user.id);
    };
    expect(await list()).toContain(user.id);
    await deleteAccount(user);
    expect(await list()).not.toContain(user.id);
    await refreshTopVoters(services);
    expect(await list()).not.toContain(user.id);
    expect(await findDifferences(db)).toEqual([]);
  });
});

describe('no column of any table leads from the number to the wallet [R67]', () => {
  test('after decided withdrawals, a payout, a payment, moderation, an appeal and votes set aside', async () => {
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

describe('only the wallet itself, for this very thing [R55]', () => {
  const remove = (user: TestUser, body: object) => user.send('DELETE', `/api/users/${user.id}`, body);
  const sign = async (wallet: { signPersonalMessage: TestUser['wallet']['signPersonalMessage'] }, message: string) =>
    (await wallet.signPersonalMessage(new TextEncoder().encode(message))).signature;

  test('a session is not enough: neither another wallet nor a signature for signing in deletes anything', async () => {
    const user = await newUser(server);
    expect(await deleteAccount(user, { wallet: newWallet() })).toMatchObject({
      status: 401,
      body: { error: 'bad_signature' },
    });
    const asked = await new Client(server.url).post<{ challenge: Challenge }>('/api/auth/wallet', {
      walletAddress: user.address,
    });
    const { nonce, message } = asked.body.challenge;
    const replayed = await remove(user, { nonce, signature: await sign(user.wallet, message) });
    expect(replayed).toMatchObject({ status: 401, body: { error: 'unknown_nonce' } });
    expect((await remove(user, { nonce })).status).toBe(400);
    expect((await user.get(`/api/users/${user.id}`)).status).toBe(200);
  });

  test('the message says what it is for, does not sign in, and serves once', async () => {
    const user = await newUser(server);
    const { nonce, message } = await deletionChallenge(user);
    expect(message).toContain('DELETE my Snapswipe account for good');
    const signature = await sign(user.wallet, message);
    const proof = { walletAddress: user.address, nonce, signature };
    expect(await new Client(server.url).post('/api/auth/wallet', proof)).toMatchObject({
      status: 401,
      body: { error: 'unknown_nonce' },
    });
    const both = await Promise.all([remove(user, { nonce, signature }), remove(user, { nonce, signature })]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
  });

  test('the account of another user cannot be deleted, nor that of a wallet of the admin panel', async () => {
    const [user, other] = [await newUser(server), await newUser(server)];
    expect((await user.send('DELETE', `/api/users/${other.id}`, {})).status).toBe(403);
    const admin = await newUser(server, ADMIN_KEYPAIR);
    expect(await deleteAccount(admin)).toMatchObject({ status: 409, body: { error: 'admin_account' } });
    await sql`INSERT INTO admins (wallet_address, role, password_hash, has_paid, granted_by)
      VALUES (${user.address}, 'moderator', 'scrypt', false, 'test')`.execute(db);
    expect(await deleteAccount(user)).toMatchObject({ status: 409, body: { error: 'admin_account' } });
    expect((await user.get(`/api/users/${user.id}`)).status).toBe(200);
    await sql`UPDATE admins SET revoked_at = now() WHERE wallet_address = ${user.address}`.execute(db);
    expect((await deleteAccount(user)).status).toBe(200);
  });
});

describe('while something is under way [R55]', () => {
  test('an open withdrawal stands in the way until it ends; a paid one stays without its wallet and its transaction', async () => {
    const user = await newUser(server);
    await grantTokens(db, user.id, 200);
    const request = { userId: user.id, walletAddress: user.address, tokenAmount: 60 };
    expect((await user.post('/api/withdrawals', request)).status).toBe(201);
    expect(await deleteAccount(user)).toMatchObject({ status: 409, body: { error: 'withdrawal_open' } });
    const digest = 'PayoutOfADeletedAccount11111111111111111111';
    await sql`WITH batch AS (INSERT INTO payout_batches (state, digest) VALUES ('paid', ${digest}) RETURNING id),
      paid AS (UPDATE withdrawals SET state = 'paid', batch_id = (SELECT id FROM batch), digest = ${digest} WHERE user_id = ${user.id} RETURNING id),
      item AS (INSERT INTO payout_items (batch_id, withdrawal_id, wallet_address, token_amount, amount_units)
        SELECT batch.id, paid.id, ${user.address}, 60, 60 FROM batch, paid)
      INSERT INTO token_ledger (user_id, ref, amount, created_at, kind)
        SELECT ${user.id}::bigint, id, 60, now(), 'hold_release'::ledger_kind FROM paid UNION ALL SELECT ${user.id}::bigint, id, -60, now(), 'payout' FROM paid`.execute(
      db,
    );
    // A transfer that a restore had lost and that was matched later, and one that waits for the admin.
    const insertTransfer = (state: string, withdrawal: number | null, name: string) =>
      sql`INSERT INTO outgoing_transfers (digest, position, wallet, recipient, coin_type, amount_units, executed_at, state, withdrawal_id)
        VALUES (${name}, 0, 'payer', ${user.address}, 'coin', 60, now(), ${state}, ${withdrawal})`.execute(db);
    const { id } = await db
      .selectFrom('withdrawals')
      .select('id')
      .where('userId', '=', user.id)
      .executeTakeFirstOrThrow();
    await insertTransfer('adopted', id, 'LostAndFound');
    await insertTransfer('unexplained', null, 'StillOpen');
    expect(await deleteAccount(user)).toMatchObject({ status: 409, body: { error: 'transfer_open' } });
    await sql`DELETE FROM outgoing_transfers WHERE digest = 'StillOpen'`.execute(db);
    expect((await deleteAccount(user)).status).toBe(200);
    expect(await findEverywhere(user.address.slice(2))).toEqual([]);
    expect(await findEverywhere('LostAndFound')).toEqual(['outgoing_transfers']);
    // The transaction stays with the payouts, which no longer name its recipients.
    expect(await findEverywhere(digest)).toEqual(['payout_batches']);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a payment that failed, or a payout that was given up, may still arrive for a while', async () => {
    const user = await newUser(server);
    await sql`INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, chain_id, digest, signed_at, expires_at)
      VALUES (${user.id}, 'submit', 'failed', '{}', 'late', 1, 'chain', ${`late-${user.id}`}, now() - interval '23 hours', now()),
        (${user.id}, 'submit', 'expired', '{}', 'named', 1, 'chain', ${`named-${user.id}`}, null, now())`.execute(db);
    expect(await deleteAccount(user)).toMatchObject({ status: 409, body: { error: 'payment_recent' } });
    await sql`UPDATE payments SET signed_at = signed_at - interval '61 minutes' WHERE user_id = ${user.id}`.execute(db);
    await sql`WITH batch AS (INSERT INTO payout_batches (state, updated_at) VALUES ('failed', now() - interval '47 hours') RETURNING id),
      asked AS (INSERT INTO withdrawals (user_id, wallet_address, token_amount, state, reason, idempotency_key)
        VALUES (${user.id}, ${user.address}, 60, 'rejected', ${`Not to ${user.address}`}, ${`key of ${user.address}`}) RETURNING id),
      item AS (INSERT INTO payout_items (batch_id, withdrawal_id, wallet_address, token_amount, amount_units)
        SELECT batch.id, asked.id, ${user.address}, 60, 60 FROM batch, asked)
      INSERT INTO token_ledger (user_id, ref, amount, created_at, kind)
        SELECT ${user.id}::bigint, id, -60, now(), 'withdrawal_hold'::ledger_kind FROM asked
        UNION ALL SELECT ${user.id}::bigint, id, 60, now(), 'hold_release' FROM asked`.execute(db);
    expect(await deleteAccount(user)).toMatchObject({ status: 409, body: { error: 'payout_recent' } });
    await sql`UPDATE payout_batches SET updated_at = updated_at - interval '61 minutes'
      WHERE id IN (SELECT batch_id FROM payout_items WHERE wallet_address = ${user.address})`.execute(db);
    expect((await deleteAccount(user)).status).toBe(200);
    expect(await findEverywhere(user.address.slice(2))).toEqual([]);
    // A digest that was named once stays in the books, whatever the fate of its order.
    const { rows } = await sql`SELECT state, user_id <> ${user.id} AS moved FROM payments
      WHERE digest IN (${`late-${user.id}`}, ${`named-${user.id}`}) ORDER BY state`.execute(db);
    expect(rows).toEqual([
      { state: 'failed', moved: true },
      { state: 'expired', moved: true },
    ]);
  });

  test.each(['signed', 'paid', 'unclaimed'])(
    'a payment that is %s stands in the way, a draft does not',
    async (state) => {
      const user = await newUser(server);
      const insert = (to: string, digest: string | null) =>
        sql`INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, chain_id, digest, expires_at)
      VALUES (${user.id}, 'submit', ${to}::payment_state, '{}', ${to}, 1, 'chain', ${digest}, now() + interval '1 hour')`.execute(
          db,
        );
      await insert('draft', null);
      await insert(state, `${state}-${user.id}`);
      expect(await deleteAccount(user)).toMatchObject({ status: 409, body: { error: 'payment_open' } });
      await sql`UPDATE payments SET state = 'fulfilled' WHERE user_id = ${user.id} AND state <> 'draft'`.execute(db);
      expect((await deleteAccount(user)).status).toBe(200);
      const { rows } =
        await sql`SELECT state, user_id <> ${user.id} AS moved FROM payments WHERE order_hash IN ('draft', ${state})
      AND (digest = ${`${state}-${user.id}`} OR user_id = ${user.id})`.execute(db);
      expect(rows).toEqual([{ state: 'fulfilled', moved: true }]);
    },
  );

  test('votes, reviews and withdrawals that run beside it happen before it or not at all', async () => {
    const projects = await insertProjects(db, 12);
    for (let round = 0; round < 4; round += 1) {
      const user = await newUser(server);
      await grantTokens(db, user.id, 300);
      const { cookie } = user;
      const again = Object.assign(new Client(server.url), { id: user.id, cookie }) as TestUser;
      const under = [
        ...projects.map((projectId) => vote(again, projectId)),
        review(again, projects[0] ?? 0, 'Beside it'),
        again.patch(`/api/users/${user.id}`, { username: `Beside_${user.id}` }),
        again.post('/api/withdrawals', { userId: user.id, walletAddress: user.address, tokenAmount: 50 }),
        again.get(`/api/users/${user.id}/daily-deck`),
      ];
      const [deleted, ...responses] = await Promise.all([deleteAccount(user), ...under]);
      expect([200, 409]).toContain(deleted?.status);
      expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      if (deleted?.status === 409) continue;
      const counted = responses.slice(0, projects.length).filter(({ status }) => status === 200).length;
      const { rows } = await sql`SELECT (SELECT count(*)::int FROM votes v WHERE v.user_id = u.id) AS votes, username,
        (SELECT balance FROM user_stats s WHERE s.user_id = u.id) AS balance,
        (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id) AS sessions FROM users u WHERE id = ${user.id}`.execute(
        db,
      );
      expect(rows).toEqual([{ votes: counted + 1, username: null, balance: 0, sessions: 0 }]);
    }
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a sign-in that was verified before the deletion starts no session of the old number', async () => {
    const user = await newUser(server);
    await deleteAccount(user);
    const late =
      sql`INSERT INTO sessions (token_hash, user_id, expires_at) VALUES ('\\x00', ${user.id}, now())`.execute(db);
    await expect(late).rejects.toMatchObject({ code: 'SD001' });
  });

  test('nothing that was under way is written for a deleted account', async () => {
    const user = await newUser(server);
    await deleteAccount(user);
    for (const table of ['payments', 'withdrawals', 'reviews', 'reports', 'appeals'])
      await expect(
        sql`INSERT INTO ${sql.table(table)} (user_id) VALUES (${user.id})`.execute(db),
      ).rejects.toMatchObject({
        code: 'SD001',
      });
    for (const table of ['activity', 'notices', 'daily_decks'])
      await sql`INSERT INTO ${sql.table(table)} (user_id) VALUES (${user.id})`.execute(db);
    expect(await tablesWith(user.id)).toEqual(['user_stats']);
  });

  test('every server and every device knows at once', async () => {
    const other = await startServer(server.databaseUrl, { env });
    try {
      const user = await newUser(server);
      const phone = await signIn(new Client(other.url), user.wallet);
      const own = `/api/users/${user.id}/stats`;
      for (let i = 0; i < 3; i += 1) expect((await phone.get(own)).status).toBe(200);
      await deleteAccount(user);
      await server.allNotified();
      expect((await phone.get(own)).status).toBe(401);
      expect((await vote(phone, await insertProject(db))).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});

describe('the same wallet comes back [R55 R7]', () => {
  const BARRED = 'projects you may not vote on for now, because an account of this wallet that was deleted did';

  test('to a new, empty account that votes on nothing twice: not in its feed, not by its address, not after another deletion', async () => {
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

  test('may vote again in a new listing period, and on what it listed itself never [R45 R67]', async () => {
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
    // The server learns of a change by others a moment later.
    await vi.waitFor(async () => expect(await seen()).toEqual([late]));
    expect((await vote(back, late)).status).toBe(200);
    expect((await vote(back, own)).status).toBe(409);
    // Bars of the earlier account also apply to the account after it.
    await deleteAccount(back);
    const again = await cameBack(user);
    await endWindow(again);
    for (const id of [early, late, own]) expect((await vote(again, id)).status).toBe(409);
    await countAllVotes(services);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('opens three new accounts a day after deletions, and a fourth one on the next day', async () => {
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

  test('without new votes before the last window can be over, counted from its last deletion', async () => {
    const user = await newUser(server);
    await deleteAccount(user);
    // The state six hours later.
    await sql`UPDATE deleted_wallets SET votes_from = now()`.execute(db);
    const between = await cameBack(user);
    expect((await vote(between, await insertProject(db))).status).toBe(200);
    const beforeMs = Date.now();
    await deleteAccount(between);
    const afterMs = Date.now();
    const back = await cameBack(user);
    expect(await votesFrom(back)).toBeGreaterThanOrEqual(beforeMs + WINDOW_MS);
    expect(await votesFrom(back)).toBeLessThanOrEqual(afterMs + WINDOW_MS);
    expect(await vote(back, await insertProject(db))).toMatchObject({ status: 429, body: { error: 'vote_limit' } });
  });

  test('a wallet that was never here begins like any other, though the database has the key of deleted accounts', async () => {
    const user = await newUser(server);
    await deleteAccount(user);
    const stranger = await newUser(server);
    const { counters, ...account } = jsonOf(await downloadArchive(stranger), 'account.json') as Record<string, unknown>;
    expect(counters).toMatchObject({ windowVotes: 0, windowStartedAt: null });
    expect(account).toMatchObject({ [BARRED]: null });
    const projectId = await insertProject(db);
    expect((await stranger.get(`/api/projects/${projectId}/own-vote`)).body).toMatchObject({ canVote: 'yes' });
    expect((await vote(stranger, projectId)).status).toBe(200);
  });

  test('knows every project of thousands that it voted on, and no other', async () => {
    const user = await newUser(server);
    const ownerId = await insertUser(db);
    const projects = await behindTheTriggers(db, async (trx) => {
      const { rows } = await sql<{ id: number }>`
        INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
        SELECT 'one-of-thousands-' || n, 'One', 'DeFi', 'One of thousands', '', 'one', ${ownerId}, now() FROM generate_series(1, 4100) n
        RETURNING id`.execute(trx);
      const ids = rows.map(({ id }) => id);
      // All except every tenth.
      await sql`INSERT INTO votes (user_id, project_id, tokens, bullish, created_at)
        SELECT ${user.id}, id, 10, true, now() FROM unnest(${ids.filter((_, i) => i % 10 !== 0)}::int[]) AS x (id)`.execute(
        trx,
      );
      return ids;
    });
    await deleteAccount(user);
    const account = jsonOf(await downloadArchive(await cameBack(user)), 'account.json') as Record<string, unknown>;
    expect(account[BARRED]).toEqual(projects.filter((_, i) => i % 10 !== 0));
    await behindTheTriggers(db, (trx) => sql`DELETE FROM projects WHERE id = ANY (${projects}::bigint[])`.execute(trx));
    await behindTheTriggers(db, (trx) => sql`DELETE FROM votes WHERE user_id = ${user.id}`.execute(trx));
  });

  test('known again by ACCOUNT_KEY alone, which is not in the database, and by hashes of before it was set', async () => {
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
      // The later one of two deletions counts, whichever key its wallet was hashed with.
      await sql`UPDATE deleted_wallets SET votes_from = votes_from - interval '1 hour'`.execute(db);
      const beforeMs = Date.now();
      await deleteAccount(older);
      expect(await votesFrom(await newUser(keyed, before.wallet))).toBeGreaterThanOrEqual(beforeMs + WINDOW_MS);
      // Nothing in the database reveals the wallets that were deleted since the key was set.
      await deleteAccount(known);
      await db.deleteFrom('accountKeys').execute();
      const again = await newUser(keyed, user.wallet);
      expect((await again.get(`/api/projects/${two}/own-vote`)).body).toMatchObject({ canVote: 'barred' });
    } finally {
      await keyed.close();
    }
  });

  test('a wallet of a deleted account that signs in at the very moment ends up with one new account or the old one, never both', async () => {
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

describe('standing [R37]', () => {
  const stand = async (user: TestUser, lastDayAgo: number) => {
    await sql`INSERT INTO voter_standing (user_id, read_on, days_read, days_held, state)
      VALUES (${user.id}, now()::date - ${lastDayAgo}::int, 7, 127, 'standing')`.execute(db);
    await sql`UPDATE users SET created_at = now() - interval '90 days' WHERE id = ${user.id}`.execute(db);
    await sql`UPDATE user_stats SET last_day = (now() AT TIME ZONE 'UTC')::date - ${lastDayAgo}::int WHERE user_id = ${user.id}`.execute(
      db,
    );
  };

  test('votes that are not decided yet are no longer verified: no coin stands for one wallet after the other', async () => {
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
    // Like a large site, where the next count would be far away.
    await sql`UPDATE verified_counts SET duration_ms = 1000000`.execute(db);
    expect(await countVerifiedWhenDue(services)).toBe(false);
    await deleteAccount(recent);
    expect(await countVerifiedWhenDue(services)).toBe(true);
    await server.allNotified();
    expect(await verified()).toBe(2);
    await deleteAccount(justRead);
    expect(await countVerifiedWhenDue(services)).toBe(true);
    await server.allNotified();
    expect(await verified()).toBe(1);
    expect(await findDifferences(db)).toEqual([]);
  });
});
