import { describe, expect, test } from 'vitest';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import type { EndpointName } from '#shared/endpoints.ts';
import { GRANTED_ROLES, mayCall, RIGHTS, type Role, ROLES } from '#shared/people/roles.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { Client, newUser, signIn } from '#lab/testing/client.ts';
import { type AdminPanel, logIn, OWN_PASSWORD, signInAs, signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { newWallet } from '#lab/testing/wallets.ts';

const server = await createTestApp();
const { db } = server.services;
const owner = await signInAsAdmin(server);
const panels: Record<Role, AdminPanel> = {
  owner,
  payer: await signInAs(server, 'payer'),
  moderator: await signInAs(server, 'moderator'),
};

/** A person whose role the owner revoked while the panel was open. */
async function revokedPanel(): Promise<AdminPanel> {
  const panel = await signInAs(server, 'payer');
  await owner.post(`/api/admin/people/${panel.admin.address}/revoke`, { reason: 'Left us' });
  return panel;
}

/** A second session of a person's wallet. */
const otherSession = ({ admin }: AdminPanel): Promise<Client> => signIn(new Client(server.url), admin.wallet);

/** A person whose admin session has expired. */
async function expiredPanel(): Promise<AdminPanel> {
  const wallet = newWallet();
  const panel = await signInAs(server, 'moderator', wallet);
  await db
    .updateTable('adminSessions')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where('sessionHash', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.userId')
        .select('sessions.tokenHash')
        .where('users.walletAddress', '=', wallet.toSuiAddress()),
    )
    .execute();
  return panel;
}

interface Caller {
  client: Client;
  token: string;
  /** The role whose rights the session has; null without one. */
  role: Role | null;
  /** Whether the token is of this session and valid. */
  isLoggedIn: boolean;
}
const nobody = { client: new Client(server.url), token: owner.token, role: null, isLoggedIn: false };
const inside = (role: Role): Caller => ({
  client: panels[role].admin,
  token: panels[role].token,
  role,
  isLoggedIn: true,
});
const outside = (role: Role, client: Client, token: string): Caller => ({ client, token, role, isLoggedIn: false });
const revoked = await revokedPanel();
const expired = await expiredPanel();

const CALLERS: Record<string, Caller> = {
  user: { client: await newUser(server), token: owner.token, role: null, isLoggedIn: false },
  revoked: { client: revoked.admin, token: revoked.token, role: null, isLoggedIn: false },
  ...Object.fromEntries(ROLES.map((role) => [role, inside(role)])),
  'owner without a token': outside('owner', panels.owner.admin, ''),
  'payer without a token': outside('payer', panels.payer.admin, ''),
  'moderator without a token': outside('moderator', panels.moderator.admin, ''),
  'another session of the owner': outside('owner', await otherSession(panels.owner), panels.owner.token),
  'another session of the payer': outside('payer', await otherSession(panels.payer), panels.payer.token),
  'payer with the token of the owner': outside('payer', panels.payer.admin, panels.owner.token),
  'moderator with the token of the owner': outside('moderator', panels.moderator.admin, panels.owner.token),
  'moderator with the token of the payer': outside('moderator', panels.moderator.admin, panels.payer.token),
  'owner with the token of the payer': outside('owner', panels.owner.admin, panels.payer.token),
  'moderator whose admin session has expired': outside('moderator', expired.admin, expired.token),
};

const nameOf = (qualified: string): EndpointName => qualified.split('.')[1] as EndpointName;
const ENDPOINTS = allEndpoints().filter(([, { access }]) => access === 'admin' || access === 'role');

/** A path that leads to nothing. */
const pathOf = ({ path }: EndpointSpec): string =>
  path
    .replace('{key}', 'WITHDRAWALS_PAUSED')
    .replace('{wallet}', `0x${'9'.repeat(64)}`)
    .replace('{id}', '999999');

/** The table's response to a caller; undefined: admitted, whatever the endpoint then responds. */
function rejectionOf(name: EndpointName, { access }: EndpointSpec, { role, isLoggedIn }: Caller): string | undefined {
  if (role === null) return '403 not_admin';
  if (!mayCall(role, name)) return '403 not_your_role';
  return access === 'admin' && !isLoggedIn ? '401 not_authenticated' : undefined;
}

async function call(endpoint: EndpointSpec, { client, token }: Caller): Promise<string | undefined> {
  const body = endpoint.method === 'GET' ? undefined : {};
  const response = await client.send(endpoint.method, pathOf(endpoint), body, { [ADMIN_TOKEN_HEADER]: token });
  expect(response.status).toBeLessThan(500);
  const isRejected = response.status === 401 || response.status === 403;
  return isRejected ? `${response.status} ${String(response.body.error)}` : undefined;
}

describe('every endpoint of the admin panel admits exactly the callers that the table names [R54 R31]', () => {
  test.each(ENDPOINTS)('%s', async (qualified, endpoint) => {
    const name = nameOf(qualified);
    expect(await call(endpoint, nobody)).toBe('401 not_signed_in');
    // A logout ends the session that the other endpoints need.
    const callers = Object.entries(CALLERS).filter(([, { isLoggedIn }]) => name !== 'adminLogout' || !isLoggedIn);
    const found: Record<string, string | undefined> = {};
    for (const [who, caller] of callers) found[who] = await call(endpoint, caller);
    const expected = callers.map(([who, caller]) => [who, rejectionOf(name, endpoint, caller)]);
    expect(found).toEqual(Object.fromEntries(expected));
  });
});

test('everyone with a role may log out, which ends only their own admin session [R54]', async () => {
  const panel = await logIn(panels.payer.admin, OWN_PASSWORD);
  expect((await panel.post('/api/admin/logout')).status).toBe(200);
  expect((await panel.get('/api/admin/withdrawals')).status).toBe(401);
  expect((await panels.payer.get('/api/admin/withdrawals')).status).toBe(200);
});

test('the table names endpoints of the admin panel only, and the rights of the roles are these [R54]', () => {
  expect(Object.keys(RIGHTS).toSorted()).toEqual(
    ENDPOINTS.map(([name]) => nameOf(name))
      .filter((name) => GRANTED_ROLES.some((role) => mayCall(role, name)))
      .toSorted(),
  );
  // R54 in other words, in case the table grows by accident: money for payers, texts for moderators, people and SQL for
  // the owner.
  const both = GRANTED_ROLES.filter((role) => mayCall(role, 'getOverview'));
  expect(both).toEqual(['payer', 'moderator']);
  for (const name of ['executeSql', 'grantRole', 'revokeRole', 'renewPassword', 'listPeople', 'listAudit'] as const)
    expect(GRANTED_ROLES.filter((role) => mayCall(role, name))).toEqual([]);
  for (const name of ['preparePayout', 'sendPayout', 'approveWithdrawal'] as const)
    expect(mayCall('moderator', name)).toBe(false);
  for (const name of ['moderateProject', 'dismissReports'] as const) expect(mayCall('payer', name)).toBe(false);
});

test('the API document names the roles of an endpoint [R54 R53]', async () => {
  const { body } = await new Client(server.url).get<{ paths: Record<string, Record<string, { description: string }>> }>(
    '/api/openapi.json',
  );
  const callersOf = (path: string, method: string) => body.paths[path]?.[method]?.description;
  const token = ', with the X-Admin-Token of a login.';
  expect(callersOf('/api/admin/payouts', 'post')).toBe(
    `Who may call it: A session of the admin wallet or of a payer${token}`,
  );
  expect(callersOf('/api/admin/people', 'get')).toBe(`Who may call it: A session of the admin wallet${token}`);
  expect(callersOf('/api/admin/login', 'post')).toBe(
    'Who may call it: A session of the admin wallet or of a payer or of a moderator.',
  );
});
