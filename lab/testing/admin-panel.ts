import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import type { OneTimePassword } from '#shared/contract/people.ts';
import type { Db } from '#db/client.ts';
import type { GrantedRole } from '#shared/people/roles.ts';
import { ADMIN_PASSWORD } from '../settings.ts';
import type { TestApp } from './app.ts';
import { type TestResponse, newUser, type TestUser } from './client.ts';
import { hashPassword } from '#server/panel/admin/password.ts';
import { ADMIN_KEYPAIR, newWallet, type Wallet } from './wallets.ts';

export const OWN_PASSWORD = 'a password of my own';

export interface AdminPanel {
  admin: TestUser;
  token: string;
  get: <T = Record<string, unknown>>(path: string) => Promise<TestResponse<T>>;
  post: <T = Record<string, unknown>>(path: string, body?: unknown) => Promise<TestResponse<T>>;
}

const panelOf = (admin: TestUser, token: string): AdminPanel => {
  const headers = { [ADMIN_TOKEN_HEADER]: token };
  return {
    admin,
    token,
    get: (path) => admin.get(path, headers),
    post: (path, body) => admin.post(path, body, headers),
  };
};

export async function logIn(admin: TestUser, password: string, newPassword?: string): Promise<AdminPanel> {
  const body = { walletAddress: admin.address, password, newPassword };
  const response = await admin.post<{ sessionToken: string }>('/api/admin/login', body);
  if (response.status !== 200)
    throw new Error(`admin login answered ${response.status}: ${JSON.stringify(response.body)}`);
  return panelOf(admin, response.body.sessionToken);
}

export async function signInAsAdmin(server: Pick<TestApp, 'url'>, wallet: Wallet = ADMIN_KEYPAIR): Promise<AdminPanel> {
  return logIn(await newUser(server, wallet), ADMIN_PASSWORD);
}

export async function grantRole(owner: AdminPanel, role: GrantedRole, wallet: string): Promise<string> {
  const body = { wallet, role, reason: 'Helps us' };
  const response = await owner.post<OneTimePassword>('/api/admin/people', body);
  if (response.status !== 201) throw new Error(`grant answered ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body.oneTimePassword;
}

/** A cheap hash for tests; each hash contains its own parameters. */
const ownHash = hashPassword(OWN_PASSWORD, { N: 2 ** 4, r: 8, p: 1 });

/** A role with OWN_PASSWORD, as if it was granted and used; `grantRole` and `logIn` test the steps before that. */
export async function insertAdmin(db: Db, role: GrantedRole, walletAddress: string): Promise<void> {
  const row = { role, hasPaid: role === 'payer', grantedBy: ADMIN_KEYPAIR.toSuiAddress() };
  const values = { ...row, passwordHash: await ownHash, passwordExpiresAt: null, revokedAt: null };
  await db
    .insertInto('admins')
    .values({ ...values, walletAddress })
    .onConflict((conflict) => conflict.column('walletAddress').doUpdateSet(values))
    .execute();
}

export async function signInAs(
  server: Pick<TestApp, 'url' | 'services'>,
  role: GrantedRole,
  wallet: Wallet = newWallet(),
): Promise<AdminPanel> {
  const person = await newUser(server, wallet);
  await insertAdmin(server.services.db, role, person.address);
  return logIn(person, OWN_PASSWORD);
}
