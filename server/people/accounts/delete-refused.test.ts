import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Challenge } from '#shared/contract/auth.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { closeToday } from '#lab/testing/close.ts';
import { deleteAccount, deletionChallenge } from '#lab/testing/deletion.ts';
import { leaversOf } from '#lab/testing/leavers.ts';
import { logKey } from '#lab/testing/record.ts';
import { ADMIN_KEYPAIR, newWallet } from '#lab/testing/wallets.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;

const { vote, review, findEverywhere, tablesWith } = leaversOf(server);

describe("a deletion needs the wallet's own signature of a deletion message [R55]", () => {
  const remove = (user: TestUser, body: object) => user.send('DELETE', `/api/users/${user.id}`, body);
  const sign = async (wallet: { signPersonalMessage: TestUser['wallet']['signPersonalMessage'] }, message: string) =>
    (await wallet.signPersonalMessage(new TextEncoder().encode(message))).signature;

  test('rejects a deletion signed by another wallet or with a sign-in signature', async () => {
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

  test('the deletion message states its purpose, does not sign in, and works once', async () => {
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

  test("rejects the deletion of another user's account and of an admin's account", async () => {
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

describe('while an order or a withdrawal is open [R55]', () => {
  test('an open withdrawal blocks the deletion; a paid one stays without its wallet and transaction', async () => {
    const user = await newUser(server);
    await grantTokens(db, user.id, 200);
    const request = { userId: user.id, walletAddress: user.address, tokenAmount: 60 };
    expect((await user.post('/api/withdrawals', request)).status).toBe(201);
    expect(await deleteAccount(user)).toMatchObject({ status: 409, body: { error: 'withdrawal_open' } });
    const digest = 'PayoutOfADeletedAccount11111111111111111111';
    await sql`WITH paid AS (UPDATE withdrawals SET state = 'paid', digest = ${digest} WHERE user_id = ${user.id} RETURNING id)
      INSERT INTO token_ledger (user_id, ref, amount, created_at, kind)
        SELECT ${user.id}::bigint, id, 60, now(), 'hold_release'::ledger_kind FROM paid UNION ALL SELECT ${user.id}::bigint, id, -60, now(), 'payout' FROM paid`.execute(
      db,
    );
    expect((await deleteAccount(user)).status).toBe(200);
    expect(await findEverywhere(user.address.slice(2))).toEqual([]);
    expect(await findEverywhere(digest)).toEqual([]);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a failed payment blocks the deletion while it can still arrive', async () => {
    const user = await newUser(server);
    await sql`INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, chain_id, digest, signed_at, expires_at)
      VALUES (${user.id}, 'submit', 'failed', '{}', 'late', 1, 'chain', ${`late-${user.id}`}, now() - interval '23 hours', now()),
        (${user.id}, 'submit', 'expired', '{}', 'named', 1, 'chain', ${`named-${user.id}`}, null, now())`.execute(db);
    expect(await deleteAccount(user)).toMatchObject({ status: 409, body: { error: 'payment_recent' } });
    await sql`UPDATE payments SET signed_at = signed_at - interval '61 minutes' WHERE user_id = ${user.id}`.execute(db);
    expect((await deleteAccount(user)).status).toBe(200);
    expect(await findEverywhere(user.address.slice(2))).toEqual([]);
    // A digest that was named once stays in the books, whatever became of its order.
    const { rows } = await sql`SELECT state, user_id <> ${user.id} AS moved FROM payments
      WHERE digest IN (${`late-${user.id}`}, ${`named-${user.id}`}) ORDER BY state`.execute(db);
    expect(rows).toEqual([
      { state: 'failed', moved: true },
      { state: 'expired', moved: true },
    ]);
  });

  test.each(['signed', 'paid', 'unclaimed'])(
    'a payment that is %s blocks the deletion, a draft does not',
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

  test('votes, reviews and withdrawals concurrent with a deletion happen before it or not at all', async () => {
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
    await closeToday(services);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a sign-in that was verified before the deletion starts no session of the old number', async () => {
    const user = await newUser(server);
    await deleteAccount(user);
    const late =
      sql`INSERT INTO sessions (token_hash, user_id, expires_at) VALUES ('\\x00', ${user.id}, now())`.execute(db);
    await expect(late).rejects.toMatchObject({ code: 'SD001' });
  });

  test('the database rejects rows for a deleted account', async () => {
    const user = await newUser(server);
    await deleteAccount(user);
    for (const table of ['payments', 'withdrawals', 'reviews', 'reports', 'appeals', 'vote_changes'])
      await expect(
        sql`INSERT INTO ${sql.table(table)} (user_id) VALUES (${user.id})`.execute(db),
      ).rejects.toMatchObject({
        code: 'SD001',
      });
    for (const table of ['activity', 'notices', 'daily_decks'])
      await sql`INSERT INTO ${sql.table(table)} (user_id) VALUES (${user.id})`.execute(db);
    expect(await tablesWith(user.id)).toEqual(['user_stats']);
  });
});
