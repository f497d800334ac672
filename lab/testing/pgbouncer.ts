import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chooseUser } from '#ops/postgres/user.ts';
import { freePort } from '#ops/process/free-port.ts';
import { type Program, startProgram } from './program.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
export const hasPgBouncer: boolean = existsSync(PROGRAM);

export interface PgBouncer {
  through(url: string): string;
  stop(): Promise<void>;
  start(): Promise<void>;
  end(): Promise<void>;
}

export async function startPgBouncer(url: string, poolSize: number): Promise<PgBouncer> {
  const target = new URL(url);
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-pgbouncer-'));
  await chmod(folder, 0o755);
  const file = (name: string): string => path.join(folder, name);
  await writeFile(file('users'), `"${target.username}" "${target.password}"\n`);
  await writeFile(
    file('ini'),
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${file('users')}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  );
  const user = await chooseUser('');
  let program: Program | null = null;
  async function start(): Promise<void> {
    program = await startProgram(PROGRAM, ['-q', file('ini')], [port], { ...user, cwd: '/' });
  }
  const stop = async (): Promise<void> => program?.stop();

  await start();
  return {
    through(databaseUrl) {
      const pooled = new URL(databaseUrl);
      pooled.host = `127.0.0.1:${port}`;
      return pooled.href;
    },
    start,
    stop,
    async end() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
