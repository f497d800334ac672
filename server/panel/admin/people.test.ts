import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import type { AuditEntry } from '#shared/contract/admin.ts';
import type { Session } from '#shared/contract/auth.ts';
import type { OneTimePassword, Member } from '#shared/contract/people.ts';
import { noteRecipient } from '#server/money/payments/recipients.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { insertProject, insertUser } from '#lab/testing/builders.ts';
import { Client, newUser, signIn, type TestUser } from '#lab/testing/client.ts';
import { ADMIN_PASSWORD } from '#lab/settings.ts';
import { type AdminPanel, grantRole, logIn, OWN_PASSWORD, signInAs, signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { ADMIN_KEYPAIR, newWallet } from '#lab/testing/wallets.ts';
import { payingWallets } from './roles.ts';

const server = await createTestApp();
const { db, config } = server.services;
let owner = await signInAsAdmin(server);

const login = (user: TestUser, password: string, newPassword?: string) =>
  user.post('/api/admin/login', { walletAddress: user.address, password, newPassword });
const personOf = async (wallet: string): Promise<Member | undefined> =>
  (await owner.get<{ people: Member[] }>('/api/admin/people')).body.people.find((person) => person.wallet === wallet);
const revoke = (panel: AdminPanel, by = owner) =>
  by.post(`/api/admin/people/${panel.admin.address}/revoke`, { reason: 'Left us' });
const auditOf = async (actor: string): Promise<string[]> =>
  (await owner.get<AuditEntry[]>(`/api/admin/audit?actor=${actor}`)).body.map(
    ({ action, outcome }) => `${action}: ${outcome}`,
  );
/** Credentials of each role. */
const queueOf = (panel: AdminPanel) => panel.get('/api/admin/withdrawals');

describe('the first login with a one-time password [R54]', () => {
  test('the first login requires and stores a new password by its hash, and the one-time password opens nothing again', async () => {
    const person = await newUser(server);
    const password = await grantRole(owner, 'payer', person.address);
    expect(password).toMatch(/^[2-9a-z]{5}(-[2-9a-z]{5}){3}$/);
    expect(await personOf(person.address)).toMatchObject({ role: 'payer', state: 'invited', lastActAt: null });
    expect(await login(person, password)).toMatchObject({ status: 409, body: { error: 'choose_password' } });
    expect(await login(person, password, 'eleven char')).toMatchObject({ status: 400, body: { field: 'newPassword' } });
    expect(await login(person, password, password)).toMatchObject({ status: 400, body: { field: 'newPassword' } });
    const panel = await logIn(person, password, OWN_PASSWORD);
    expect((await queueOf(panel)).status).toBe(200);
    expect(await personOf(person.address)).toMatchObject({
      state: 'active',
      passwordExpiresAt: null,
      grantedBy: owner.admin.address,
      lastActAt: expect.any(String),
    });
    expect((await login(person, password, 'another password')).status).toBe(401);
    const row = await db.selectFrom('admins').selectAll().where('walletAddress', '=', person.address).execute();
    expect(JSON.stringify(row)).not.toContain(password);
    expect(JSON.stringify(row)).not.toContain(OWN_PASSWORD);
    expect(row[0]?.passwordHash).toMatch(/^scrypt\$/);
  });

  test('a one-time password is reported as expired after 72 hours, only to a client that knows it', async () => {
    const person = await newUser(server);
    const body = { wallet: person.address, role: 'moderator', reason: 'Helps' };
    const granted = (await owner.post<OneTimePassword>('/api/admin/people', body)).body;
    const hours = (Date.parse(granted.expiresAt) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(72);
    await db
      .updateTable('admins')
      .set({ passwordExpiresAt: new Date(Date.now() - 1000) })
      .where('walletAddress', '=', person.address)
      .execute();
    expect(await login(person, granted.oneTimePassword, OWN_PASSWORD)).toMatchObject({
      status: 401,
      body: { error: 'password_expired' },
    });
    expect(await login(person, 'wrong', OWN_PASSWORD)).toMatchObject({ body: { error: 'invalid_password' } });
    expect(await personOf(person.address)).toMatchObject({ state: 'expired' });
  });

  test('one of two simultaneous first logins succeeds, and only its new password is right', async () => {
    const person = await newUser(server);
    const password = await grantRole(owner, 'moderator', person.address);
    const chosen = ['the first password', 'the second password'];
    const responses = await Promise.all(chosen.map((own) => login(person, password, own)));
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
    const statuses: number[] = [];
    for (const own of chosen) statuses.push((await login(person, own)).status);
    expect(statuses).toEqual(responses.map(({ status }) => status));
  });
});

describe('granting [R54]', () => {
  test('granting needs a wallet, a reason and a grantable role; the owner’s wallet and a second role are rejected', async () => {
    const grant = (body: object) => owner.post('/api/admin/people', { role: 'payer', reason: 'Helps', ...body });
    const wallet = newWallet().toSuiAddress();
    expect(await grant({ wallet: 'nobody' })).toMatchObject({ status: 400, body: { field: 'wallet' } });
    expect(await grant({ wallet, reason: ' ' })).toMatchObject({ status: 400, body: { field: 'reason' } });
    expect((await grant({ wallet, role: 'owner' })).status).toBe(400);
    expect(await grant({ wallet: config.adminWallet })).toMatchObject({ status: 409, body: { error: 'is_owner' } });
    expect((await grant({ wallet: wallet.toUpperCase().replace('0X', '0x') })).status).toBe(201);
    expect(await grant({ wallet, role: 'moderator' })).toMatchObject({ status: 409, body: { error: 'has_role' } });
    expect(await personOf(wallet)).toMatchObject({ role: 'payer' });
  });

  test('a role is shown only in the person’s own session', async () => {
    const panel = await signInAs(server, 'moderator');
    const me = await panel.admin.post<Session>('/api/auth/wallet', { walletAddress: panel.admin.address });
    expect(me.body.user.role).toBe('moderator');
    expect((await new Client(server.url).get(`/api/users/${panel.admin.id}`)).body).not.toHaveProperty('role');
    const user = await newUser(server);
    const session = await user.post<Session>('/api/auth/wallet', { walletAddress: user.address });
    expect(session.body.user).not.toHaveProperty('role');
    expect((await revoke(panel)).status).toBe(200);
    const after = await panel.admin.post<Session>('/api/auth/wallet', { walletAddress: panel.admin.address });
    expect(after.body.user).not.toHaveProperty('role');
  });

  test('a payer cannot extend their own role', async () => {
    const payer = await signInAs(server, 'payer');
    const { address } = payer.admin;
    const accomplice = newWallet().toSuiAddress();
    expect((await payer.post('/api/admin/people', { wallet: accomplice, role: 'payer', reason: 'x' })).status).toBe(
      403,
    );
    expect((await payer.post('/api/admin/people', { wallet: address, role: 'owner', reason: 'x' })).status).toBe(403);
    expect((await payer.post(`/api/admin/people/${address}/password`, { reason: 'x' })).status).toBe(403);
    expect((await payer.post('/api/admin/execute-sql', { sqlQuery: 'SELECT 1' })).status).toBe(403);
    expect(
      (await payer.post('/api/admin/config', { configKey: 'WITHDRAWALS_PAUSED', configValue: 'true' })).status,
    ).toBe(403);
    expect(await personOf(address)).toMatchObject({ role: 'payer' });
    expect(await personOf(accomplice)).toBeUndefined();
  });
});

describe('events that end a person’s admin sessions, on every server [R54]', () => {
  test('revoking a role rejects the next request of an open panel, even after the role was granted again', async () => {
    const other = await startServer(server.databaseUrl);
    try {
      const payer = await signInAs(server, 'payer');
      const elsewhere = new Client(other.url);
      elsewhere.cookie = payer.admin.cookie;
      const there = () => elsewhere.get('/api/admin/withdrawals', { [ADMIN_TOKEN_HEADER]: payer.token });
      expect((await there()).status).toBe(200);
      expect((await revoke(payer)).status).toBe(200);
      expect(await there()).toMatchObject({ status: 403, body: { error: 'not_admin' } });
      expect((await queueOf(payer)).status).toBe(403);
      expect((await login(payer.admin, OWN_PASSWORD)).status).toBe(403);
      expect((await revoke(payer)).status).toBe(404);
      const { address } = payer.admin;
      expect(await personOf(address)).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) });
      await grantRole(owner, 'payer', address);
      expect(await personOf(address)).toMatchObject({ state: 'invited', revokedAt: null });
      expect((await there()).status).toBe(401);
      expect((await login(payer.admin, OWN_PASSWORD)).status).toBe(401);
    } finally {
      await other.close();
    }
  });

  test('a new password from the owner ends the old one, its sessions, and a lockout', async () => {
    const payer = await signInAs(server, 'payer');
    for (let i = 0; i < 5; i += 1) await login(payer.admin, 'wrong');
    expect((await login(payer.admin, OWN_PASSWORD)).status).toBe(429);
    expect(await personOf(payer.admin.address)).toMatchObject({ lockedUntil: expect.any(String) });
    const renewed = await owner.post<OneTimePassword>(`/api/admin/people/${payer.admin.address}/password`, {
      reason: 'Lost it',
    });
    expect((await queueOf(payer)).status).toBe(401);
    expect((await login(payer.admin, OWN_PASSWORD)).status).toBe(401);
    // The owner knows it: it opens nothing before the person has chosen another one.
    const { oneTimePassword } = renewed.body;
    expect(await login(payer.admin, oneTimePassword)).toMatchObject({
      status: 409,
      body: { error: 'choose_password' },
    });
    const again = await logIn(payer.admin, oneTimePassword, 'a newer password');
    expect((await queueOf(again)).status).toBe(200);
  });

  test("changing one's own password ends the person's other sessions, and not those of others", async () => {
    const payer = await signInAs(server, 'payer');
    const colleague = await signInAs(server, 'payer');
    const elsewhere = await logIn(await signIn(new Client(server.url), payer.admin.wallet), OWN_PASSWORD);
    const present = await logIn(payer.admin, OWN_PASSWORD, 'a newer password');
    const statuses = [];
    for (const panel of [present, elsewhere, payer, colleague, owner]) statuses.push((await queueOf(panel)).status);
    expect(statuses).toEqual([200, 401, 401, 200, 200]);
  });

  test('the owner’s password is a setting: a new one cannot be sent, and another setting ends the owner’s sessions only', async () => {
    expect(await login(owner.admin, ADMIN_PASSWORD, 'a newer password')).toMatchObject({
      status: 409,
      body: { error: 'owner_password' },
    });
    const payer = await signInAs(server, 'payer');
    const restarted = await startServer(server.databaseUrl, { env: { ADMIN_PASSWORD: 'another password' } });
    try {
      const there = (panel: AdminPanel) =>
        fetch(`${restarted.url}/api/admin/withdrawals`, {
          headers: { cookie: panel.admin.cookie, [ADMIN_TOKEN_HEADER]: panel.token },
        });
      expect((await there(owner)).status).toBe(401);
      expect((await there(payer)).status).toBe(200);
    } finally {
      await restarted.close();
    }
  });

  test('a new owner replaces the former one, people keep working, and both wallets count as paying ones [R56]', async () => {
    const payer = await signInAs(server, 'payer');
    const newOwner = newWallet();
    await noteRecipient(db, config.adminWallet);
    const restarted = await startServer(server.databaseUrl, { env: { ADMIN_WALLET: newOwner.toSuiAddress() } });
    try {
      const former = Object.assign(new Client(restarted.url), { cookie: owner.admin.cookie });
      expect((await former.get('/api/admin/people', { [ADMIN_TOKEN_HEADER]: owner.token })).status).toBe(403);
      const working = Object.assign(new Client(restarted.url), { cookie: payer.admin.cookie });
      expect((await working.get('/api/admin/withdrawals', { [ADMIN_TOKEN_HEADER]: payer.token })).status).toBe(200);
      const present = await signInAsAdmin(restarted, newOwner);
      // The former owner may get a role like any other wallet, with a new password.
      const password = await grantRole(present, 'moderator', owner.admin.address);
      const member = await signIn(new Client(restarted.url), ADMIN_KEYPAIR);
      expect(
        (await member.post('/api/admin/login', { walletAddress: member.address, password: ADMIN_PASSWORD })).status,
      ).toBe(401);
      const panel = await logIn(member, password, OWN_PASSWORD);
      expect((await queueOf(panel)).status).toBe(403);
      expect((await revoke(panel, present)).status).toBe(200);
      const wallets = await payingWallets(db, restarted.services.config);
      expect(wallets).toEqual(
        expect.arrayContaining([newOwner.toSuiAddress(), config.adminWallet, payer.admin.address]),
      );
      expect(wallets).toHaveLength(new Set(wallets).size);
    } finally {
      await restarted.close();
      // The role of that wallet has ended its admin sessions.
      owner = await logIn(owner.admin, ADMIN_PASSWORD);
    }
  });
});

test('a wallet that was a payer stays a paying one after it was revoked and made a moderator [R54 R56]', async () => {
  const payer = await signInAs(server, 'payer');
  const moderator = await signInAs(server, 'moderator');
  await revoke(payer);
  await grantRole(owner, 'moderator', payer.admin.address);
  const wallets = await payingWallets(db, config);
  expect(wallets).toContain(payer.admin.address);
  expect(wallets).not.toContain(moderator.admin.address);
});

test('five wrong passwords lock only the person whose password was guessed [R54 R31]', async () => {
  const payer = await signInAs(server, 'payer');
  const moderator = await signInAs(server, 'moderator');
  for (let i = 0; i < 5; i += 1) expect((await login(payer.admin, `wrong ${i}`)).status).toBe(401);
  expect((await login(payer.admin, OWN_PASSWORD)).status).toBe(429);
  // Naming the owner's wallet counts nothing there.
  for (let i = 0; i < 6; i += 1)
    expect(
      (await payer.admin.post('/api/admin/login', { walletAddress: owner.admin.address, password: 'wrong' })).status,
    ).toBe(403);
  expect((await login(moderator.admin, OWN_PASSWORD)).status).toBe(200);
  expect((await login(owner.admin, ADMIN_PASSWORD)).status).toBe(200);
  // The panel that is open stays open.
  expect((await queueOf(payer)).status).toBe(200);
});

test('a request whose body arrives after the role was revoked is rejected [R54]', async () => {
  const moderator = await signInAs(server, 'moderator');
  const projectId = await insertProject(db);
  const body = JSON.stringify({ hidden: true, reason: 'Late' });
  const head = [
    `POST /api/admin/projects/${projectId}/moderate HTTP/1.1`,
    `Host: ${new URL(server.url).host}`,
    `Cookie: ${moderator.admin.cookie}`,
    `${ADMIN_TOKEN_HEADER}: ${moderator.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
    'Connection: close',
  ];
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  let received = '';
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  // The server asks for the body: the head has arrived.
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (received.includes('100 Continue')) resolve();
    });
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
  });
  // A request that came later has been admitted, so that the first one was.
  expect((await moderator.get('/api/admin/reports')).status).toBe(200);
  expect((await revoke(moderator)).status).toBe(200);
  socket.write(body);
  await ended;
  expect(received).toContain('403 Forbidden');
  const project = await db.selectFrom('projects').select('hiddenAt').where('id', '=', projectId).executeTakeFirst();
  expect(project?.hiddenAt).toBeNull();
});

test('a moderator sees hidden content, on every server, until the role ends [R54]', async () => {
  const moderator = await signInAs(server, 'moderator');
  const payer = await signInAs(server, 'payer');
  const projectId = await insertProject(db, { ownerId: await insertUser(db) });
  const body = { hidden: true, reason: 'Spam' };
  expect((await moderator.post(`/api/admin/projects/${projectId}/moderate`, body)).status).toBe(200);
  const seen = async (panel: AdminPanel) => (await panel.admin.get(`/api/projects/${projectId}`)).status;
  expect([await seen(moderator), await seen(payer)]).toEqual([200, 404]);
  await revoke(moderator);
  await server.allNotified();
  expect(await seen(moderator)).toBe(404);
});

test('the audit log is by person, and names who granted and revoked which role, and why [R54]', async () => {
  const person = await newUser(server);
  const { address } = person;
  const payer = await logIn(person, await grantRole(owner, 'payer', address), OWN_PASSWORD);
  await login(payer.admin, 'wrong');
  await owner.post(`/api/admin/people/${address}/password`, { reason: 'Lost it' });
  await revoke(payer);
  expect(await auditOf(address)).toEqual(['login: invalid password', 'login: ok', 'password: ok']);
  const lines = (await owner.get<AuditEntry[]>(`/api/admin/audit?actor=${owner.admin.address}&q=${address}`)).body;
  expect(lines.map(({ action, detail }) => `${action} ${detail}`)).toEqual([
    `role.revoke ${address}, payer. Reason: Left us`,
    `role.password ${address}, payer. Reason: Lost it`,
    `role.grant ${address} as payer. Reason: Helps us`,
  ]);
});
