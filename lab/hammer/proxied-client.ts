import { type TestResponse, Client, signIn, type TestUser } from '../testing/client.ts';
import type { Wallet } from '../testing/wallets.ts';

/** A client as the servers see it behind their proxy: at a separate address. */
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

export const signInFrom = (url: string, address: string, wallet?: Wallet): Promise<TestUser> =>
  signIn(new ProxiedClient(url, address), wallet);
