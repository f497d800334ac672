import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import type { TestApp } from './app.ts';
import { type TestResponse, newUser, type TestUser } from './client.ts';
import { ADMIN_KEYPAIR, type Wallet } from './wallets.ts';

export const ADMIN_PASSWORD = 'correct horse battery staple';

/** The admin, signed in and past the password: every call carries the token. */
export interface AdminPanel {
  admin: TestUser;
  token: string;
  get: <T = Record<string, unknown>>(path: string) => Promise<TestResponse<T>>;
  post: <T = Record<string, unknown>>(path: string, body?: unknown) => Promise<TestResponse<T>>;
}

/** Passes all three gates of the admin panel, through the front door (R31). */
export async function signInAsAdmin(server: Pick<TestApp, 'url'>, wallet: Wallet = ADMIN_KEYPAIR): Promise<AdminPanel> {
  const admin = await newUser(server, wallet);
  const response = await admin.post<{ sessionToken: string }>('/api/admin/login', {
    walletAddress: admin.address,
    password: ADMIN_PASSWORD,
  });
  if (response.status !== 200)
    throw new Error(`admin login answered ${response.status}: ${JSON.stringify(response.body)}`);
  const token = response.body.sessionToken;
  const headers = { [ADMIN_TOKEN_HEADER]: token };
  return {
    admin,
    token,
    get: (path) => admin.get(path, headers),
    post: (path, body) => admin.post(path, body, headers),
  };
}
