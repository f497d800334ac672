import type { Session } from '#shared/contract/auth.ts';
import type { TestApp } from './app.ts';
import { newWallet, type Wallet } from './wallets.ts';

export interface TestResponse<T = Record<string, unknown>> {
  status: number;
  body: T;
  headers: Headers;
}

export interface ClientRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

export class Client {
  readonly url: string;
  cookie = '';

  constructor(url: string) {
    this.url = url;
  }

  async send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse<T>> {
    const response = await this.request(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookie ? { cookie: this.cookie } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      this.cookie = pair.endsWith('=') ? '' : pair;
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, body: (isJson ? JSON.parse(text) : { text }) as T, headers: response.headers };
  }

  protected request(path: string, request: ClientRequest): Promise<Response> {
    return fetch(this.url + path, { ...request, redirect: 'manual' });
  }

  get = <T = Record<string, unknown>>(path: string, headers?: Record<string, string>) =>
    this.send<T>('GET', path, undefined, headers);
  post = <T = Record<string, unknown>>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send<T>('POST', path, body, headers);
  patch = <T = Record<string, unknown>>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send<T>('PATCH', path, body, headers);
}

export interface TestUser extends Client {
  id: number;
  address: string;
  wallet: Wallet;
}

export async function signInWith(
  client: Client,
  wallet: Pick<Wallet, 'toSuiAddress' | 'signPersonalMessage'>,
): Promise<TestResponse> {
  const walletAddress = wallet.toSuiAddress();
  const asked = await client.post<{ challenge: { nonce: string; message: string } }>('/api/auth/wallet', {
    walletAddress,
  });
  const { nonce, message } = asked.body.challenge;
  const { signature } = await wallet.signPersonalMessage(new TextEncoder().encode(message));
  return client.post('/api/auth/wallet', { walletAddress, nonce, signature });
}

export async function signIn(client: Client, wallet: Wallet = newWallet()): Promise<TestUser> {
  const response = await signInWith(client, wallet);
  if (response.status !== 200) throw new Error(`sign-in answered ${response.status}: ${JSON.stringify(response.body)}`);
  const { user } = response.body as unknown as Session;
  return Object.assign(client, { id: user.id, address: user.walletAddress, wallet });
}

export const newUser = ({ url }: Pick<TestApp, 'url'>, wallet?: Wallet): Promise<TestUser> =>
  signIn(new Client(url), wallet);

/** The same user, with the same cookie, at another server. */
export const withSession = ({ url }: Pick<TestApp, 'url'>, { cookie, id, address, wallet }: TestUser): TestUser =>
  Object.assign(new Client(url), { cookie, id, address, wallet });

/** One more session of the same user, in a new browser. */
export async function secondDevice({ url, id, address, wallet }: TestUser): Promise<TestUser> {
  const client = new Client(url);
  const { status } = await signInWith(client, wallet);
  if (status !== 200) throw new Error(`sign-in answered ${status}`);
  return Object.assign(client, { id, address, wallet });
}

export const castVote = <T = Record<string, unknown>>(user: TestUser, projectId: number, voteType = 'bullish') =>
  user.post<T>('/api/votes', { userId: user.id, projectId, voteType });
