import { lookup } from 'node:dns/promises';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import type { FastifyListenOptions } from 'fastify';
import { answersAsOurs } from '#db/client.ts';
import { composeServices } from '#server/compose.ts';
import { OPERATOR_ROUTES } from './operator-routes.ts';
import { refuseDemoPassword } from '#server/panel/admin/password.ts';
import { buildApp } from '#server/app.ts';
import { listenForChanges, openHeartbeat } from '#server/kit/cache/notifications.ts';
import { type Config, ConfigError, readConfig } from '#server/kit/config.ts';
import { readChainId } from '#server/chain/chain-id.ts';
import { createLog } from '#server/kit/http/log.ts';
import { handOverWhenAsked } from '#server/kit/hand-over.ts';
import { jobs } from '#server/jobs.ts';
import { startScheduler } from '#server/kit/scheduler.ts';
import { noteRecipient } from '#server/money/payments/recipients.ts';
import { checkPayoutCoin } from '#server/money/payouts/payout-coin.ts';
import { eventLoop } from '#server/kit/http/pressure.ts';
import { hasOtherLogKey } from '#server/record/identity.ts';

const SHARES_PORT = process.argv.includes('--share-port');
/** At the end idle connections are closed this often: kept-alive ones would keep this process alive. */
const IDLE_SWEEP_MS = 50;
const argumentOf = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const LISTEN_FD = argumentOf('listen-fd');
const RELEASES_DIR = path.resolve(argumentOf('dist') ?? path.join(import.meta.dirname, '../../dist'));

/** Fastify passes on to Node.js what it does not know itself. */
type ListenOptions = FastifyListenOptions & { fd?: number; reusePort?: boolean };

/** One address, whose socket can be handed over: Fastify would listen on two for this name. On some machines it is `::1` alone. */
async function findLocalhost(): Promise<string> {
  const found = await lookup('localhost', { all: true }).catch(() => []);
  const { address } = found.find(({ family }) => family === 4) ?? found[0] ?? { address: '127.0.0.1' };
  return address;
}

async function listenOptions({ host: name, port }: Config): Promise<ListenOptions> {
  const host = name === 'localhost' ? await findLocalhost() : name;
  if (LISTEN_FD !== undefined) return { host, fd: Number(LISTEN_FD) };
  return { host, port, ...(SHARES_PORT ? { reusePort: true } : {}) };
}

function giveUp(message: string): never {
  console.error(`snapswipe: ${message}`);
  process.exit(1);
}

async function askChain(sui: SuiGrpcClient, config: Config): Promise<string> {
  const chainId = await readChainId(sui, config.network);
  await checkPayoutCoin(sui, config);
  return chainId;
}

async function start(): Promise<void> {
  const config = readConfig();
  await refuseDemoPassword(config);
  const log = createLog(config);
  const { services, close } = await composeServices(config, { log });
  const { db, pool, sui, cache } = services;
  const isReadable = await answersAsOurs(pool).catch((error: Error) =>
    giveUp(`cannot reach the database of DATABASE_URL: ${error.message || 'connection refused'}`),
  );
  if (!isReadable)
    giveUp(
      'DATABASE_URL: our tables or dates cannot be read with the settings of its login; run `npm run migrate`, then RECONNECT in the console of PgBouncer',
    );
  services.chainId = await askChain(sui, config).catch((error: Error) => {
    if (error instanceof ConfigError) giveUp(error.message);
    console.error(
      `snapswipe: the Sui node at ${config.rpcUrl} does not respond yet (${error.message}); starting without it`,
    );
    return null;
  });
  await noteRecipient(db, config.adminWallet);
  if (await hasOtherLogKey(db, config))
    console.error(
      'snapswipe: LOG_PRIVATE_KEY is not the key that signed the record of this database: nothing is published',
    );
  const distDir = await realpath(path.join(RELEASES_DIR, 'current')).catch(() => null);
  const app = await buildApp(services, {
    distDir,
    releasesDir: RELEASES_DIR,
    pressure: eventLoop,
    mounts: OPERATOR_ROUTES,
  });
  const scheduler = startScheduler(services, jobs);
  const heartbeat = openHeartbeat(config);
  const listener = listenForChanges({
    databaseUrl: config.databaseDirectUrl,
    pool: heartbeat,
    cache,
    onError: (error) => log.warn({ err: error }, 'no change notifications; reading everything from the database'),
  });

  let stopping = false;
  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
    await app.close();
    clearInterval(sweep);
    await scheduler.stop();
    await listener.stop();
    await heartbeat.end();
    await close();
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());
  process.on('disconnect', () => void stop());
  handOverWhenAsked(app.server, { onLeave: () => void scheduler.stop(), onLeft: () => void stop() });

  const url = await app.listen(await listenOptions(config)).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof ConfigError) giveUp(error.message);
    return giveUp(
      error.code === 'EADDRINUSE'
        ? `port ${config.port} is in use; set PORT to another one`
        : `cannot listen on ${config.host}:${config.port} (HOST and PORT): ${error.message}`,
    );
  });
  process.send?.({ ready: true, url });
}

await start().catch((error: unknown) =>
  giveUp(error instanceof ConfigError ? error.message : error instanceof Error ? error.message : String(error)),
);
