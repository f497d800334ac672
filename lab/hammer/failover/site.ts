import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Database, openDatabase } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { keepSessionSettings } from '#db/session-settings.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { ROOT } from '#ops/process/report.ts';
import { ADMIN_PASSWORD } from '../../settings.ts';
import { startSandbox } from '../../stack.ts';
import { ADMIN_KEYPAIR } from '../../testing/wallets.ts';
import { fillPeople } from '../../bench/data.ts';
import type { Cluster } from './cluster.ts';

export interface Site {
  client: Database;
  rpcUrl: string;
  faucetUrl: string;
  users: number;
  projects: number;
}

const USERS = 48_000;
const PROJECTS = 60;
const START_MS = 60_000;

/** The sandbox chain on another address of this machine. */
async function passOn(url: string, host: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = net.createServer((socket) => {
    const there = net.connect(Number(port), hostname);
    socket.pipe(there).pipe(socket);
    for (const one of [socket, there]) one.on('error', () => void (socket.destroy(), there.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(Number(port), host, resolve));
  return `http://${host}:${port}`;
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(await readFile(path.join(ROOT, 'lab/bench', 'reference.sql'), 'utf8'));
    await fillPeople(client, USERS, PROJECTS);
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}

async function answers(url: string): Promise<void> {
  const untilMs = performance.now() + START_MS;
  while ((await fetch(url).catch(() => null))?.status !== 200) {
    if (performance.now() > untilMs) throw new Error(`${url} did not answer`);
    await sleep(100);
  }
}

/** The balancer listens and knows the leader: both come a moment after the cluster is complete. */
async function leaderIsReachable(url: string): Promise<void> {
  const untilMs = performance.now() + START_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    const problem = await client.connect().then(
      () => null,
      (error: unknown) => error,
    );
    await client.end().catch(() => undefined);
    if (problem === null) return;
    if (performance.now() > untilMs) throw problem;
    await sleep(100);
  }
}

/** The product on the cluster: schema, people, a chain, and two responding server processes. */
export async function startSite(lifecycle: Lifecycle, cluster: Cluster): Promise<Site> {
  const { directUrl, network, siteUrl } = cluster;
  await leaderIsReachable(directUrl);
  await migrate(directUrl);
  await keepSessionSettings(directUrl);
  await fill(directUrl);
  const { rpcUrl, faucetUrl } = await startSandbox(lifecycle);
  await cluster.startServers({
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    PUBLIC_ORIGIN: 'http://localhost',
    SUI_NETWORK: 'localnet',
    // Where the machines can also reach it.
    SUI_RPC_URL: await passOn(rpcUrl, network.hub),
    SUI_FAUCET_URL: await passOn(faucetUrl, network.hub),
    ADMIN_WALLET: ADMIN_KEYPAIR.toSuiAddress(),
    ADMIN_PASSWORD,
    RATE_LIMIT_READ_MS_PER_MINUTE: '1000000000',
  });
  for (const address of network.addresses.slice(0, 2)) await answers(`http://${address}:3000/readyz`);
  await answers(`${siteUrl}/readyz`);
  const client = openDatabase(directUrl, { maxConnections: 4, statementTimeoutMs: 120_000, onError: () => undefined });
  await lifecycle.atEnd(() => client.close());
  return { client, rpcUrl, faucetUrl, users: USERS, projects: PROJECTS };
}
