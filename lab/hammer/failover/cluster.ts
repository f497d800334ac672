import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { chooseUser, type RunAs } from '#ops/postgres/user.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { run } from '#ops/process/programs.ts';
import { ROOT } from '#ops/process/report.ts';
import type { MachineOrder, MachineReport, MachineSpec, Service } from './machine.ts';
import { innerPid, type Network } from './network.ts';
import { isWhole, leaderOf, type Member, members } from './patroni.ts';
import { balancer, databaseServices, type MachineFiles, siteService } from './services.ts';

export type MachineNumber = 1 | 2 | 3;
const ALL: readonly MachineNumber[] = [1, 2, 3];
/** Machines that run a server of the product: two processes. */
const WITH_SERVER: readonly MachineNumber[] = [1, 2];

const CONFIGURE = path.join(ROOT, 'ops/deploy/cluster/configure.sh');

/** One machine that can lose its power and get it back. */
export class Machine {
  readonly number: MachineNumber;
  /** Services that the machine's supervisor restarted, with how they ended. */
  readonly restarts: string[] = [];
  private readonly files: MachineFiles;
  private readonly network: Network;
  private services: Service[] = [];
  private child: ChildProcess | null = null;
  private inner = 0;

  constructor(number: MachineNumber, files: MachineFiles, network: Network) {
    this.number = number;
    this.files = files;
    this.network = network;
  }

  async boot(services: Service[] = this.services): Promise<void> {
    this.services = services;
    const spec: MachineSpec = { dataDir: path.join(this.files.folder, 'data') };
    const file = path.join(ROOT, 'lab/hammer/failover/machine.ts');
    const { command, args } = this.network.wrap(process.execPath, [file, JSON.stringify(spec)]);
    const log = openSync(path.join(this.files.folder, 'machine.log'), 'a');
    // In a separate session: a Ctrl-C reaches only the bench, which ends everything in order.
    const child = spawn(command, args, { stdio: ['ignore', log, log, 'ipc'], detached: true });
    closeSync(log);
    child.on('message', (report: MachineReport) => {
      if ('ended' in report) this.restarts.push(`${report.ended}: ${report.how}`);
    });
    child.on('error', () => undefined);
    this.child = child;
    const pid = child.pid ?? 0;
    this.inner = this.network.isReal ? await innerPid(pid) : pid;
    await this.network.connect(this.number, pid);
    await this.order({ start: services });
  }

  /** Resolves when the machine has done it; a machine that is off does nothing. */
  private async order(order: MachineOrder): Promise<void> {
    const { child } = this;
    if (!child) return;
    const done = new Promise<void>((resolve) => {
      const listen = (report: MachineReport): void => {
        if (!('done' in report)) return;
        child.off('message', listen);
        resolve();
      };
      child.on('message', listen);
      child.once('exit', () => resolve());
    });
    child.send(order);
    await done;
  }

  /** Adds a service, also after the next boot. */
  async add(service: Service): Promise<void> {
    this.services.push(service);
    await this.order({ start: [service] });
  }

  /** SIGKILL to every process of its PostgreSQL. */
  killPostgres = (): Promise<void> => this.order({ killPostgres: true });
  kill = (service: string): Promise<void> => this.order({ kill: service });

  /** All processes at once; data on the disks survives. */
  async losePower(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    // Without a process namespace the children end when they are found to be orphans: see machine.ts.
    if (this.network.isReal) process.kill(this.inner, 'SIGKILL');
    else child.disconnect();
    await gone;
  }
}

export interface Cluster {
  network: Network;
  machines: Record<MachineNumber, Machine>;
  settings: Record<string, string>;
  /** The database's URLs for clients outside of the three machines, and the address of the site. */
  directUrl: string;
  siteUrl: string;
  leader(): Promise<MachineNumber | null>;
  view(): Promise<Member[]>;
  /** Resolves when every member runs and follows, or rejects after a time limit with the missing ones. */
  becomesWhole(patienceMs: number): Promise<void>;
  startServers(env: NodeJS.ProcessEnv): Promise<void>;
}

/** Runs ops/deploy/cluster/configure.sh like an operator, with the bench's folders instead of the system's. */
async function configure(folder: string, settingsFile: string, machine: number, more: string[]): Promise<void> {
  const own = path.join(folder, 'settings.env');
  await writeFile(own, [await readFile(settingsFile, 'utf8'), ...more].join('\n'));
  const { code, output } = await run('sh', [CONFIGURE, 'install', String(machine), own, folder]);
  if (code !== 0) throw new Error(`configure.sh: ${output.trim()}`);
}

async function give(folder: string, user: RunAs | undefined): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
}

async function prepare(
  folder: string,
  machine: MachineNumber | 0,
  options: { settingsFile: string; network: Network; user: RunAs | undefined; binDir: string },
): Promise<MachineFiles> {
  const { network, user, binDir } = options;
  await mkdir(path.join(folder, 'run/postgresql'), { recursive: true });
  const lines = [
    `LOCAL=${machine === 0 ? network.hub : network.isReal ? '127.0.0.1' : network.addresses[machine - 1]}`,
    `CLIENTS=${network.hub}/32`,
    `BIN_DIR=${binDir}`,
    `DATA_DIR=${path.join(folder, 'data')}`,
    `ETCD_DATA_DIR=${path.join(folder, 'etcd')}`,
    `CONF=${path.join(folder, 'etc')}`,
    `RUN=${path.join(folder, 'run')}`,
    // A real watchdog would reset the machine that the bench runs on.
    'WATCHDOG=off',
  ];
  await configure(folder, options.settingsFile, machine === 0 ? 1 : machine, lines);
  if (!network.isReal) await admitLoopback(path.join(folder, 'etc/patroni/config.yml'));
  await give(folder, user);
  return { folder, user, binDir };
}

/** A caller of any loopback address has the first one as its own. */
async function admitLoopback(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll(/ 127\.77\.\d+\.\d+\/32 /g, ' 127.0.0.1/32 '));
}

/** Three machines with the configuration of ops/deploy/cluster, and a load balancer in front of them. */
export async function startCluster(
  lifecycle: Lifecycle,
  options: { folder: string; binDir: string; network: Network },
): Promise<Cluster> {
  const { folder, binDir, network } = options;
  const user = await chooseUser('');
  const settingsFile = path.join(folder, 'cluster.env');
  await writeFile(settingsFile, (await run('sh', [CONFIGURE, 'new', ...network.addresses])).output);
  const settings = parseEnv(await readFile(settingsFile, 'utf8')) as Record<string, string>;
  const machineFiles = async (machine: MachineNumber | 0): Promise<MachineFiles> =>
    prepare(path.join(folder, `machine-${machine}`), machine, { settingsFile, network, user, binDir });
  const files = { 1: await machineFiles(1), 2: await machineFiles(2), 3: await machineFiles(3) };
  const machines = {
    1: new Machine(1, files[1], network),
    2: new Machine(2, files[2], network),
    3: new Machine(3, files[3], network),
  };
  for (const number of ALL) {
    await lifecycle.atEnd(() => machines[number].losePower());
    await machines[number].boot(await databaseServices(files[number]));
  }
  await lifecycle.own(startBalancer(balancer(await machineFiles(0))));
  const view = (): Promise<Member[]> => members(network.addresses);
  const login = `snapswipe:${settings['DATABASE_PASSWORD']}@${network.hub}`;
  return {
    network,
    machines,
    settings,
    directUrl: `postgres://${login}:5002/snapswipe`,
    siteUrl: `http://${network.hub}:8080`,
    view,
    leader: async () => (await leaderOf(network.addresses)) as MachineNumber | null,
    becomesWhole: (patienceMs) => becomesWhole(view, patienceMs),
    async startServers(env) {
      for (const number of WITH_SERVER) await machines[number].add(await siteService(files[number], env));
    },
  };
}

async function becomesWhole(view: () => Promise<Member[]>, patienceMs: number): Promise<void> {
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    const found = await view();
    if (isWhole(found)) return;
    if (performance.now() > untilMs)
      throw new Error(`the cluster did not become whole in ${patienceMs / 1000} s: ${JSON.stringify(found)}`);
    await sleep(200);
  }
}

/** The load balancer in front, which is not one of the three machines; no fault affects it. */
async function startBalancer({ command, args, env, user }: Service): Promise<{ stop(): Promise<void> }> {
  const child = spawn(command, args, { env, stdio: 'ignore', ...user });
  await once(child, 'spawn');
  return {
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
