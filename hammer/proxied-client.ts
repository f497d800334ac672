import { type TestResponse, Client, signInWith, type TestUser } from '#server/testing/client.ts';
import { newWallet, type Wallet } from '#server/testing/wallets.ts';
import type { Session } from '#shared/contract/auth.ts';

/** A client as the servers see it behind their proxy: at an address of its own. */
export class ProxiedClient extends Client {
  private readonly from: string;

  constructor(url: string, address: string) {
    super(url);
    this.from = address;
  }

  override send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse<T>> {
    return super.send<T>(method, path, body, { 'x-forwarded-for': this.from, ...headers });
  }
}

export async function signInFrom(url: string, address: string, wallet: Wallet = newWallet()): Promise<TestUser> {
  const client = new ProxiedClient(url, address);
  const response = await signInWith(client, wallet);
  if (response.status !== 200) throw new Error(`sign-in answered ${response.status}`);
  const { user } = response.body as unknown as Session;
  return Object.assign(client, { id: user.id, address: user.walletAddress, wallet });
}
