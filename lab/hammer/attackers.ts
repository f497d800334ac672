import { Agent, request as httpRequest } from 'node:http';
import type { Db } from '#db/client.ts';
import { chainAt, fundedWallet } from '../testing/chain.ts';
import type { TestUser } from '../testing/client.ts';
import { ADMIN_PASSWORD } from '../settings.ts';
import { ADMIN_KEYPAIR } from '../testing/wallets.ts';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import { signInFrom } from './proxied-client.ts';

/** Input of an attack from outside: addresses of the servers, and rows that it looks up or deletes beforehand. */
export interface Target {
  servers: readonly [{ readonly url: string }, { readonly url: string }];
  client: { db: Db };
  rpcUrl: string;
  faucetUrl: string;
}

/** Tools of every attack: one address, a few signed-in wallets, and the admin's token for attacks from inside. */
export interface Attackers<S extends Target = Target> {
  stack: S;
  users: TestUser[];
  /** Source address of all requests of the present attack; each address has a separate allowance. */
  address: string;
  admin: { cookie: string; [ADMIN_TOKEN_HEADER]: string };
  /** Sends one request from the attackers' address; the status, 0 when the connection broke. */
  hit(method: string, path: string, options?: Hit): Promise<number>;
  /** Keeps this many requests in flight until the attack ends; returns the count of each status. */
  flood(signal: AbortSignal, atOnce: number, one: (n: number) => Promise<number>): Promise<string>;
}

export interface Hit {
  body?: string | Buffer;
  headers?: Record<string, string>;
  server?: 0 | 1;
}

const FIRST_ADDRESS = '203.0.113.1';
const WALLETS = 4;
const HIT_TIMEOUT_MS = 20_000;

function hitter(stack: Target, from: () => string): Attackers['hit'] {
  const agent = new Agent({ keepAlive: true, maxSockets: 250 });
  let turn = 0;
  return (method, path, { body, headers = {}, server } = {}) => {
    turn += 1;
    const { hostname, port } = new URL(stack.servers[server ?? (turn % 2 === 0 ? 0 : 1)].url);
    const json = { 'content-type': 'application/json' };
    const sized = body === undefined ? {} : { ...json, 'content-length': String(Buffer.byteLength(body)) };
    const all = { 'x-forwarded-for': from(), ...sized, ...headers };
    return new Promise((resolve) => {
      const sent = httpRequest(
        { agent, hostname, port, method, path, headers: all, timeout: HIT_TIMEOUT_MS },
        (response) => response.resume().on('close', () => resolve(response.statusCode ?? 0)),
      );
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
  };
}

async function flood(signal: AbortSignal, atOnce: number, one: (n: number) => Promise<number>): Promise<string> {
  const statuses = new Map<number, number>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const status = await one(next++);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return [...statuses].map(([status, count]) => `${status === 0 ? 'hung up' : status}: ${count}`).join(', ');
}

export async function createAttackers<S extends Target>(stack: S): Promise<Attackers<S>> {
  const { url } = stack.servers[0];
  const users: TestUser[] = [];
  for (let at = 0; at < WALLETS; at += 1) {
    users.push(await signInFrom(url, `203.0.113.${100 + at}`, await fundedWallet(chainAt(stack))));
  }
  const admin = await signInFrom(url, '203.0.113.99', ADMIN_KEYPAIR);
  const login = await admin.post<{ sessionToken: string }>('/api/admin/login', {
    walletAddress: admin.address,
    password: ADMIN_PASSWORD,
  });
  if (login.status !== 200) throw new Error(`the admin's login answered ${login.status}`);
  const token = login.body.sessionToken;
  const attackers: Attackers<S> = {
    stack,
    users,
    address: FIRST_ADDRESS,
    admin: { cookie: admin.cookie, [ADMIN_TOKEN_HEADER]: token },
    hit: hitter(stack, () => attackers.address),
    flood,
  };
  return attackers;
}
