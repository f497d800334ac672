import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import type { TestApp } from './app.ts';
import { type Answer, newUser, type TestUser } from './client.ts';
import { ADMIN_KEYPAIR, type Wallet } from './wallets.ts';

export const ADMIN_PASSWORD = 'correct horse battery staple';

/** The admin, signed in and past the password: every call carries the token. */
export interface Desk {
  admin: TestUser;
  token: string;
  get: <T = Record<string, unknown>>(path: string) => Promise<Answer<T>>;
  post: <T = Record<string, unknown>>(path: string, body?: unknown) => Promise<Answer<T>>;
}

/** Passes all three gates of the admin's desk, through the front door (R31). */
export async function openDesk(server: Pick<TestApp, 'url'>, wallet: Wallet = ADMIN_KEYPAIR): Promise<Desk> {
  const admin = await newUser(server, wallet);
  const answer = await admin.post<{ sessionToken: string }>('/api/admin/login', {
    walletAddress: admin.address,
    password: ADMIN_PASSWORD,
  });
  if (answer.status !== 200) throw new Error(`admin login answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const token = answer.body.sessionToken;
  const headers = { [ADMIN_TOKEN_HEADER]: token };
  return {
    admin,
    token,
    get: (path) => admin.get(path, headers),
    post: (path, body) => admin.post(path, body, headers),
  };
}
