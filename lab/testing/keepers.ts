import { execFile } from 'node:child_process';
import { chown, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { chooseUser, type RunAs } from '#ops/postgres/user.ts';
import { ROOT } from '#ops/process/report.ts';
import { connectionOf } from '#ops/backup/clients.ts';

const execute = promisify(execFile);

/** A database server that is backed up: its folder, and how to reach it. */
export interface Kept {
  url: string;
  port: number;
  clusterDir: string;
}

/** One way to return to any moment: a copy of the files, and an archive of the log. */
export interface Keeper {
  /** Settings that the server needs from its start. */
  settings: Record<string, string>;
  backup(kept: Kept): Promise<void>;
  /**
   * Puts the files of the restore point into `clusterDir`; resolves to the settings with which the server recovers to
   * it.
   */
  restore(point: string, clusterDir: string): Promise<Record<string, string>>;
}

/** A recovering server needs room for as many connections as the original. */
const LOG_SETTINGS = { wal_level: 'replica', max_wal_senders: '4' };

/** The user that PostgreSQL runs as; the archive and the restored files must be in folders of that user. */
const ownerOf = (folder: string): Promise<RunAs | undefined> => chooseUser(path.join(folder, 'none'));

async function ownFolder(folder: string, owner: RunAs | undefined): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (owner) await chown(folder, owner.uid, owner.gid);
  return folder;
}

/** pgBackRest with the settings of ops/deploy/pgbackrest, in folders of its own. */
export async function pgBackRestKeeper(folder: string): Promise<Keeper> {
  const owner = await ownerOf(folder);
  const config = path.join(folder, 'pgbackrest.conf');
  const [repo, logs, locks, socket] = await Promise.all(
    ['repo', 'logs', 'locks', 'socket'].map((name) => ownFolder(path.join(folder, name), owner)),
  );
  const call = `pgbackrest --config=${config} --stanza=snapswipe`;
  const run = (command: string, env: NodeJS.ProcessEnv = {}) =>
    execute('/bin/sh', ['-c', command], { ...owner, cwd: '/', env: { ...process.env, ...env } });
  const writeConfig = async (changes: Record<string, string>): Promise<void> => {
    const sample = await readFile(path.join(ROOT, 'ops/deploy/pgbackrest/pgbackrest.conf'), 'utf8');
    const text = Object.entries({ 'repo1-path': String(repo), 'pg1-socket-path': String(socket), ...changes }).reduce(
      (all, [name, value]) => all.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`),
      sample,
    );
    const own = `pg1-user=snapswipe\npg1-database=snapswipe\n[global]\nlog-path=${logs}\nlock-path=${locks}\n`;
    await writeFile(config, text + own);
    if (owner) await chown(config, owner.uid, owner.gid);
  };
  return {
    settings: {
      ...LOG_SETTINGS,
      archive_mode: 'on',
      archive_command: `${call} archive-push %p`,
      unix_socket_directories: String(socket),
    },
    async backup({ url, port, clusterDir }) {
      await writeConfig({ 'pg1-path': clusterDir, 'pg1-port': String(port) });
      const { env } = connectionOf(url);
      const script = path.join(folder, 'backup.sh');
      await copyFile(path.join(ROOT, 'ops/deploy/pgbackrest/backup.sh'), script);
      await run(`${call} stanza-create && ${call} check`, env);
      const server = { PGHOST: String(socket), PGPORT: String(port), PGUSER: 'snapswipe' };
      await run(`sh ${script} full --config=${config}`, { ...env, ...server });
    },
    async restore(point, clusterDir) {
      await ownFolder(clusterDir, owner);
      await writeConfig({ 'pg1-path': clusterDir });
      await run(`${call} --type=name --target=${point} --target-action=promote restore`);
      return LOG_SETTINGS;
    },
  };
}
