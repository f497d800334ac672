import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { RunAs } from '#ops/postgres/user.ts';
import { ROOT } from '#ops/process/report.ts';
import { SERVER_FLAGS } from '#ops/serve/server.ts';
import type { Service } from './machine.ts';

export interface MachineFiles {
  /** Folder of the files that ops/deploy/cluster/configure.sh wrote for this machine. */
  folder: string;
  user: RunAs | undefined;
  binDir: string;
}

const PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

const readEnv = async (file: string): Promise<NodeJS.ProcessEnv> => parseEnv(await readFile(file, 'utf8'));

/** The services of Debian's units, with the same files. */
export async function databaseServices({ folder, user, binDir }: MachineFiles): Promise<Service[]> {
  const etc = (file: string): string => path.join(folder, 'etc', file);
  const service = (name: string, command: string, args: string[], env: NodeJS.ProcessEnv = {}): Service => ({
    name,
    command,
    args,
    env: { LC_ALL: 'C.UTF-8', PATH: `${binDir}:${PATH}`, ...env },
    user,
    logFile: path.join(folder, `${name}.log`),
  });
  return [
    service('etcd', '/usr/bin/etcd', [], await readEnv(etc('default/etcd'))),
    service('patroni', '/usr/bin/patroni', [etc('patroni/config.yml')]),
    service('pgbouncer', '/usr/sbin/pgbouncer', [etc('pgbouncer/pgbouncer.ini')]),
    balancer({ folder, user, binDir }),
  ];
}

export const balancer = ({ folder, user }: MachineFiles): Service => ({
  name: 'haproxy',
  command: '/usr/sbin/haproxy',
  args: ['-db', '-f', path.join(folder, 'etc/haproxy/haproxy.cfg')],
  env: { PATH },
  user,
  logFile: path.join(folder, 'haproxy.log'),
});

/** A server process of the product, with the settings that configure.sh wrote and the given ones. */
export async function siteService({ folder }: MachineFiles, env: NodeJS.ProcessEnv): Promise<Service> {
  return {
    name: 'server',
    command: process.execPath,
    args: [...SERVER_FLAGS, path.join(ROOT, 'ops/serve/main.ts')],
    env: { PATH: process.env.PATH, ...(await readEnv(path.join(folder, 'etc/snapswipe/cluster.env'))), ...env },
    logFile: path.join(folder, 'server.log'),
  };
}
