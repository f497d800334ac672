import os from 'node:os';
import tls from 'node:tls';
import { sql } from 'kysely';
import pg from 'pg';
import { directConnection } from '#db/session-settings.ts';
import { MIST_PER_SUI } from '#shared/constants.ts';
import { readDisks } from './disks.ts';
import { currentReserves } from '#server/money/supply/reserves.ts';
import { findWaitingSnaps } from '#server/money/supply/waits.ts';
import { readShortage } from '#server/money/payouts/automatic.ts';
import { createRefreshed } from '#server/kit/refreshed.ts';
import type { Services } from '#server/kit/services.ts';
import { type Family, gauge, single } from './families.ts';

const TIMEOUT_MS = 5_000;
const FRESH_MS = 60_000;
const PATIENCE_MS = 1_000;

const refreshed = <T>(load: () => Promise<T>): (() => Promise<T | null>) =>
  createRefreshed<T | null>(null, () => load().catch(() => null), { freshMs: FRESH_MS, patienceMs: PATIENCE_MS });

/** When the certificate of the site's public address ends or has ended; null for http. */
export function readCertificateEnd(publicOrigin: string): Promise<Date | null> {
  const { protocol, hostname, port } = new URL(publicOrigin);
  if (protocol !== 'https:') return Promise.resolve(null);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      host,
      port: Number(port || 443),
      rejectUnauthorized: false,
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no response')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
  });
}

type Amount = [labels: { wallet: string; address: string }, sui: number];

async function readWallets({ sui, config }: Services): Promise<Amount[]> {
  const owners = [
    ...(config.snapsCoinType === null ? [] : [['payouts', config.adminWallet] as const]),
    ...(config.payoutKey === null ? [] : [['payout-key', config.payoutKey.toSuiAddress()] as const]),
    ...(config.anchorKey === null ? [] : [['anchors', config.anchorKey.toSuiAddress()] as const]),
  ];
  return Promise.all(
    owners.map(async ([wallet, owner]): Promise<Amount> => {
      const { balance } = await sui.core.getBalance({ owner, signal: AbortSignal.timeout(TIMEOUT_MS) });
      return [{ wallet, address: owner }, Number(balance.balance) / Number(MIST_PER_SUI)];
    }),
  );
}

async function readCover(services: Services): Promise<{ held: number; waiting: number } | null> {
  const [reserves, waiting] = await Promise.all([currentReserves(services), findWaitingSnaps(services.db)]);
  return reserves?.reading ? { held: reserves.reading.held, waiting } : null;
}

async function readReplicaLag({ config, db }: Services): Promise<number | null> {
  if (config.databaseReplicaUrl === null) return null;
  const { rows } = await sql<{ position: string }>`SELECT pg_current_wal_lsn()::text AS position`.execute(db);
  const client = new pg.Client({
    ...(config.isPooled
      ? { connectionString: config.databaseReplicaUrl }
      : directConnection(config.databaseReplicaUrl)),
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'snapswipe-metrics',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const found = await client.query<{ behind: string | null }>(
      'SELECT pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn())::text AS behind',
      [rows[0]?.position],
    );
    const behind = found.rows[0]?.behind ?? null;
    return behind === null ? null : Math.max(0, Number(behind));
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function createSurroundings(services: Services): () => Promise<Family[]> {
  const { config } = services;
  const disks = refreshed(() => readDisks(services, [process.cwd(), os.tmpdir()]));
  const certificateEnd = refreshed(() => readCertificateEnd(config.publicOrigin));
  const wallets = refreshed(() => readWallets(services));
  const replicaLag = refreshed(() => readReplicaLag(services));
  const shortage = refreshed(() => readShortage(services));
  const cover = refreshed(() => readCover(services));
  return async () => {
    const [spaces, end, amounts, lag, key, reserves] = await Promise.all([
      disks(),
      certificateEnd(),
      wallets(),
      replicaLag(),
      shortage(),
      cover(),
    ]);
    const hasReplica = config.databaseReplicaUrl !== null;
    return [
      gauge(
        'snapswipe_disk_free_bytes',
        'Free space of the disks that hold the code, temporary files, and a database on this machine.',
        (spaces ?? []).map(({ path, freeBytes }) => [{ path }, freeBytes] as const),
      ),
      gauge(
        'snapswipe_disk_size_bytes',
        'Size of these disks.',
        (spaces ?? []).map(({ path, totalBytes }) => [{ path }, totalBytes] as const),
      ),
      single(
        'snapswipe_certificate_expires_timestamp_seconds',
        'When the certificate of PUBLIC_ORIGIN ends.',
        end === null ? null : end.getTime() / 1_000,
      ),
      gauge('snapswipe_wallet_sui', 'SUI of the wallets that pay gas.', amounts ?? []),
      gauge(
        'snapswipe_payout_key_snaps',
        'Snaps that the wallet of PAYOUT_PRIVATE_KEY could pay (held), and those that wait for it (waiting).',
        key === null ? [] : [[{ kind: 'held' }, key.held] as const, [{ kind: 'waiting' }, key.waiting] as const],
        'max',
      ),
      gauge(
        'snapswipe_reserves_snaps',
        'Snaps that the paying wallets hold (held), and those of all open withdrawals (waiting).',
        reserves === null
          ? []
          : [[{ kind: 'held' }, reserves.held] as const, [{ kind: 'waiting' }, reserves.waiting] as const],
        'max',
      ),
      single('snapswipe_replica_up', '1 while the read replica responds.', hasReplica ? Number(lag !== null) : null),
      single('snapswipe_replica_behind_bytes', 'Bytes of the log that the read replica has not replayed.', lag),
    ];
  };
}
