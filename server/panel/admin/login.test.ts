import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { ADMIN_PASSWORD } from '#lab/settings.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { ADMIN_KEYPAIR, newWallet } from '#lab/testing/wallets.ts';
import { noteEndedLocks } from './login.ts';
import { hashPassword, isAdminPassword } from './password.ts';

const server = await createTestApp();
const { db } = server.services;

const login = (user: TestUser, password: string, walletAddress = user.address) =>
  user.post('/api/admin/login', { walletAddress, password });

async function unlock(): Promise<void> {
  await db.deleteFrom('adminLoginAttempts').execute();
}

const tryToken = (user: Client, token: string) =>
  user.get('/api/admin/config/WITHDRAWALS_PAUSED', { [ADMIN_TOKEN_HEADER]: token });

async function auditOutcomes(action: string): Promise<string[]> {
  const rows = await db.selectFrom('auditLog').select('outcome').where('action', '=', action).orderBy('id').execute();
  return rows.map((row) => row.outcome);
}

describe('the three conditions for opening the panel [R31]', () => {
  test('only wallet session, password and token together open the panel [S7.20 S3.11 S7.22]', async () => {
    const admin = await newUser(server, ADMIN_KEYPAIR);
    expect((await tryToken(admin, '')).status).toBe(401);
    const response = await login(admin, ADMIN_PASSWORD);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ success: true, sessionToken: expect.stringMatching(/^[\w-]{43}$/) });
    const hours = (Date.parse(String(response.body.expiresAt)) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(7.9);
    expect(hours).toBeLessThan(8.1);
    const token = String(response.body.sessionToken);
    expect(await tryToken(admin, token)).toMatchObject({
      status: 200,
      body: { configKey: 'WITHDRAWALS_PAUSED', configValue: 'false' },
    });
    // Stored only as a hash.
    const rows = await db.selectFrom('adminSessions').select('tokenHash').execute();
    expect(rows.some((row) => row.tokenHash.toString().includes(token))).toBe(false);
    expect(rows[0]?.tokenHash).toHaveLength(32);
  });

  test('another wallet: 403 with the right password, even when it names the admin’s address [S6.3]', async () => {
    const user = await newUser(server);
    expect((await login(user, ADMIN_PASSWORD)).status).toBe(403);
    expect((await login(user, ADMIN_PASSWORD, ADMIN_KEYPAIR.toSuiAddress())).status).toBe(403);
  });

  test('an admin token works only in the session it was made in', async () => {
    const { admin, token } = await signInAsAdmin(server);
    const other = await newUser(server, ADMIN_KEYPAIR);
    const stranger = await newUser(server);
    expect((await tryToken(admin, token)).status).toBe(200);
    expect((await tryToken(other, token)).status).toBe(401);
    expect((await tryToken(stranger, token)).status).toBe(403);
    for (const wrong of [`${token}x`, token.slice(1), token.toLowerCase(), 'x'.repeat(5000)])
      expect((await tryToken(admin, wrong)).status).toBe(401);
  });

  test('an admin token ends with the wallet’s session, after eight hours, and at logout', async () => {
    const { admin, token } = await signInAsAdmin(server);
    const before = (await auditOutcomes('logout')).length;
    expect((await admin.post('/api/admin/logout', undefined, { [ADMIN_TOKEN_HEADER]: token })).status).toBe(200);
    expect((await tryToken(admin, token)).status).toBe(401);
    expect(await auditOutcomes('logout')).toHaveLength(before + 1);

    const second = await signInAsAdmin(server);
    await db
      .updateTable('adminSessions')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .execute();
    expect((await tryToken(second.admin, second.token)).status).toBe(401);

    const third = await signInAsAdmin(server);
    const { cookie } = third.admin;
    await third.admin.post('/api/auth/logout');
    third.admin.cookie = cookie;
    expect((await tryToken(third.admin, third.token)).status).toBe(401);
  });
});

describe('wrong passwords [R31 S8.17]', () => {
  test('four wrong passwords and then the right one log in, and the count starts over', async () => {
    await unlock();
    const admin = await newUser(server, ADMIN_KEYPAIR);
    for (let i = 0; i < 4; i += 1)
      expect(await login(admin, `wrong ${i}`)).toMatchObject({
        status: 401,
        body: { error: 'invalid_password', message: 'Invalid password' },
      });
    expect((await login(admin, ADMIN_PASSWORD)).status).toBe(200);
    for (let i = 0; i < 4; i += 1) expect((await login(admin, 'wrong')).status).toBe(401);
    expect((await login(admin, ADMIN_PASSWORD)).status).toBe(200);
  });

  test('a missing password is a wrong one [S5.7]', async () => {
    await unlock();
    const admin = await newUser(server, ADMIN_KEYPAIR);
    expect((await login(admin, '')).status).toBe(401);
    expect((await admin.post('/api/admin/login', { walletAddress: admin.address })).status).toBe(400);
  });

  test('five wrong passwords lock for 15 minutes, even the right one, in every session and after a restart', async () => {
    await unlock();
    const admin = await newUser(server, ADMIN_KEYPAIR);
    for (let i = 0; i < 5; i += 1) expect((await login(admin, 'wrong')).status).toBe(401);
    const locked = await login(admin, ADMIN_PASSWORD);
    expect(locked).toMatchObject({ status: 429, body: { error: 'locked' } });
    expect(locked.body.message).toBe('Too many wrong passwords. Try again in 15 minutes.');
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(880);
    const other = await startServer(server.databaseUrl);
    try {
      const elsewhere = await newUser(other, ADMIN_KEYPAIR);
      expect((await login(elsewhere, ADMIN_PASSWORD)).status).toBe(429);
    } finally {
      await other.close();
    }
    expect((await auditOutcomes('login')).slice(-5)).toEqual(Array.from({ length: 5 }, () => 'invalid password'));
    // The time is over: five new attempts, not one.
    await db
      .updateTable('adminLoginAttempts')
      .set({ lockedUntil: new Date(Date.now() - 1000) })
      .execute();
    for (let i = 0; i < 4; i += 1) expect((await login(admin, 'wrong')).status).toBe(401);
    expect((await login(admin, ADMIN_PASSWORD)).status).toBe(200);
  });

  const logins = () =>
    db
      .selectFrom('auditLog')
      .select(['actor', 'detail', 'outcome', 'rowCount'])
      .where('action', '=', 'login')
      .orderBy('id')
      .execute();

  test('one line of the audit log has the number of attempts that a lock refused, once it has ended', async () => {
    await unlock();
    const admin = await newUser(server, ADMIN_KEYPAIR);
    const before = (await logins()).length;
    for (let i = 0; i < 5; i += 1) await login(admin, 'wrong');
    for (let i = 0; i < 60; i += 1) expect((await login(admin, ADMIN_PASSWORD)).status).toBe(429);
    expect((await logins()).slice(before).map(({ detail }) => detail)).toEqual([
      ...Array.from({ length: 4 }, () => 'Password login'),
      'Password login; locked for 15 minutes',
    ]);
    // It is not over yet.
    expect(await noteEndedLocks(db)).toBe(0);
    await sql`UPDATE admin_login_attempts SET locked_until = now()`.execute(db);
    const line = {
      actor: admin.address,
      detail: 'Password login: 60 attempts while locked',
      outcome: 'locked',
      rowCount: 60,
    };
    expect(await noteEndedLocks(db)).toBe(1);
    expect(await noteEndedLocks(db)).toBe(0);
    expect((await logins()).slice(before + 5)).toEqual([line]);

    // A right password at the same moment writes it, too.
    for (let i = 0; i < 5; i += 1) await login(admin, 'wrong');
    expect((await login(admin, ADMIN_PASSWORD)).status).toBe(429);
    await sql`UPDATE admin_login_attempts SET locked_until = now()`.execute(db);
    expect((await login(admin, ADMIN_PASSWORD)).status).toBe(200);
    expect((await logins()).slice(-2)).toMatchObject([
      { detail: 'Password login: 1 attempt while locked', rowCount: 1 },
      { detail: 'Password login', outcome: 'ok' },
    ]);
  });

  test('exactly five of 40 simultaneous attempts are checked', async () => {
    await unlock();
    const admin = await newUser(server, ADMIN_KEYPAIR);
    const responses = await Promise.all(Array.from({ length: 40 }, (_, i) => login(admin, `wrong ${i}`)));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(35);
    await unlock();
  });
});

describe('the stored password [R31]', () => {
  test('a scrypt hash takes its own password and no other', async () => {
    const hash = await hashPassword('ünïcode pässword');
    expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(hash).not.toBe(await hashPassword('ünïcode pässword'));
    const config = { adminPassword: null, adminPasswordHash: hash };
    expect(await isAdminPassword(config, 'ünïcode pässword')).toBe(true);
    // In any composition by the keyboard.
    expect(await isAdminPassword(config, 'ünïcode pässword'.normalize('NFD'))).toBe(true);
    for (const wrong of ['', 'unicode password', 'ünïcode pässword ', 'ünïcode pässwor'])
      expect(await isAdminPassword(config, wrong)).toBe(false);
  });

  test('the hash overrides the plain password, and without either no login succeeds', async () => {
    const adminPasswordHash = await hashPassword('from the hash');
    expect(await isAdminPassword({ adminPassword: 'plain one', adminPasswordHash }, 'plain one')).toBe(false);
    expect(await isAdminPassword({ adminPassword: 'plain one', adminPasswordHash: null }, 'plain one')).toBe(true);
    expect(await isAdminPassword({ adminPassword: null, adminPasswordHash: null }, '')).toBe(false);
    const composed = { adminPassword: 'pl\u00e4in', adminPasswordHash: null };
    expect(await isAdminPassword(composed, 'pla\u0308in')).toBe(true);
    expect(await isAdminPassword(composed, 'plain')).toBe(false);
  });

  test.each<[what: string, env: () => Promise<Record<string, string>>, status: number]>([
    ['a changed password', async () => ({ ADMIN_PASSWORD: 'another password' }), 401],
    [
      'the same password, hashed again',
      async () => ({ ADMIN_PASSWORD: '', ADMIN_PASSWORD_HASH: await hashPassword(ADMIN_PASSWORD) }),
      401,
    ],
    ['another admin wallet', async () => ({ ADMIN_WALLET: newWallet().toSuiAddress() }), 403],
    ['the same settings', async () => ({}), 200],
  ])('tokens from before a restart with %s [R31]', async (_what, env, status) => {
    const { admin, token } = await signInAsAdmin(server);
    const restarted = await startServer(server.databaseUrl, { env: await env() });
    try {
      const later = new Client(restarted.url);
      later.cookie = admin.cookie;
      expect((await tryToken(later, token)).status).toBe(status);
    } finally {
      await restarted.close();
    }
  });

  test('the stored password is enough: a server with ADMIN_PASSWORD_HASH only', async () => {
    const hashed = await startServer(server.databaseUrl, {
      env: { ADMIN_PASSWORD: '', ADMIN_PASSWORD_HASH: await hashPassword(ADMIN_PASSWORD) },
    });
    try {
      expect((await signInAsAdmin(hashed)).token).toHaveLength(43);
    } finally {
      await hashed.close();
    }
  });
});

test('the pause switch: only true and false, only this key, in the audit log [S7.23 S3.10]', async () => {
  const panel = await signInAsAdmin(server);
  const set = (configKey: string, configValue: unknown) => panel.post('/api/admin/config', { configKey, configValue });
  expect(await set('WITHDRAWALS_PAUSED', 'true')).toMatchObject({ status: 200, body: { configValue: 'true' } });
  expect((await panel.get('/api/admin/config/WITHDRAWALS_PAUSED')).body).toEqual({
    configKey: 'WITHDRAWALS_PAUSED',
    configValue: 'true',
  });
  for (const wrong of [true, 'TRUE', '', 'yes', null])
    expect((await set('WITHDRAWALS_PAUSED', wrong)).status).toBe(400);
  expect((await set('OTHER', 'true')).status).toBe(400);
  expect((await panel.get('/api/admin/config/OTHER')).status).toBe(400);
  await set('WITHDRAWALS_PAUSED', 'false');
  const { body } =
    await panel.get<{ action: string; detail: string; actor: string; ip: string | null }[]>(
      '/api/admin/audit?q=config',
    );
  expect(body.slice(0, 2)).toMatchObject([
    { action: 'config', detail: 'WITHDRAWALS_PAUSED = false', actor: panel.admin.address, ip: '127.0.0.1' },
    { action: 'config', detail: 'WITHDRAWALS_PAUSED = true' },
  ]);
});
