/**
 * `npm run bench:failover [-- --rounds N] [--only postgres,network,…] [--seed N] [--seconds N] [--rate N] [--json]
 * [--keep]`: three machines with the configuration of ops/deploy/cluster, two servers, people who vote, pay and read at
 * half capacity, and one fault after the other; docs/operate/cluster.md. Needs root for a network and processes per
 * machine; without root, the machines are processes on loopback.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { installDebianPackage } from '#ops/install/machine-packages.ts';
import { findSystemPostgres } from '#ops/install/system-postgres.ts';
import { type Lifecycle, runWithLifecycle } from '#ops/process/lifecycle.ts';
import { readOptions } from '#ops/process/options.ts';
import { step } from '#ops/process/report.ts';
import { startCluster } from '#lab/hammer/failover/cluster.ts';
import { FAULTS } from '#lab/hammer/failover/faults.ts';
import { hasNamespaces, loopback, namespaces } from '#lab/hammer/failover/network.ts';
import { printFailovers, summarize } from '#lab/hammer/failover/report.ts';
import { runFailovers } from '#lab/hammer/failover/run.ts';
import { startSite } from '#lab/hammer/failover/site.ts';
import { Random } from '#lab/hammer/random.ts';

const { values } = readOptions('npm run bench:failover -- [options]', {
  rounds: { type: 'string', says: 'how often each fault strikes (1)' },
  seed: { type: 'string', says: 'strikes in another order each round, the same for the same seed' },
  only: { type: 'string', says: `faults, with commas between them: ${FAULTS.map(({ name }) => name).join(', ')}` },
  seconds: { type: 'string', says: 'seconds of load before and after each fault (4)' },
  rate: { type: 'string', says: 'at most so many votes a second (1000)' },
  json: { type: 'boolean', says: 'prints the figures as JSON' },
  keep: { type: 'boolean', says: 'the logs of the machines stay' },
});
if (values.json === true) console.log = console.error;

const INSIDE = 'SNAPSWIPE_FAILOVER_NETWORK';
const PROGRAMS = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  iproute2: '/usr/sbin/ip',
};

async function installPrograms(): Promise<void> {
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const problem = existsSync(program) ? null : await installDebianPackage(name);
    if (problem !== null) throw new Error(`Debian's package ${name} is needed: ${problem}`);
  }
}

/** This script again, in a separate network. */
async function runInside(kind: string, wrapper: string[]): Promise<void> {
  const [command = '', ...args] = [...wrapper, process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn(command, args, {
    env: { ...process.env, [INSIDE]: kind },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  if (process.connected) process.on('disconnect', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exit(code ?? 1);
}

async function bench(lifecycle: Lifecycle): Promise<void> {
  const postgres = await findSystemPostgres();
  if ('problem' in postgres) throw new Error(`Debian's package postgresql is needed: ${postgres.problem}`);
  const network = process.env[INSIDE] === 'own' ? await namespaces() : loopback();
  console.log(
    network.isReal
      ? '  three machines, each with a network, processes and shared memory of its own'
      : '  no namespaces here: the machines are processes on loopback, and no network can be cut',
  );
  const chosen = values.only?.split(',');
  const faults = FAULTS.filter(({ name, cuts }) => (chosen?.includes(name) ?? true) && (network.isReal || !cuts));
  if (faults.length === 0) throw new Error(`Faults: ${FAULTS.map(({ name }) => name).join(', ')}.`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-failover-'));
  await chmod(folder, 0o755);
  const remove = async (): Promise<void> => {
    if (values.keep === true) console.log(`  logs: ${folder}/machine-*/*.log`);
    else await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  await lifecycle.atEnd(remove);
  const cluster = await step('Cluster of three machines', async () => {
    const started = await startCluster(lifecycle, { folder, binDir: postgres.binDir, network });
    await started.becomesWhole(120_000);
    return started;
  });
  const site = await step('Two servers, 48,000 people', () => startSite(lifecycle, cluster));
  const pace = {
    rounds: Number(values.rounds ?? 1),
    random: values.seed === undefined ? null : new Random(Number(values.seed)),
    calmMs: Number(values.seconds ?? 4) * 1000,
    capacityMs: 5_000,
    maxPerSecond: Number(values.rate ?? 1000),
  };
  const result = await runFailovers(cluster, site, { faults, pace, log: (line) => console.log(line) });
  const restarts = Object.values(cluster.machines).flatMap((machine) => machine.restarts);
  printFailovers(result, faults, restarts);
  if (values.json === true)
    process.stdout.write(`${JSON.stringify({ ...result, faults: summarize(result.strikes, result.lost) }, null, 2)}\n`);
  await lifecycle.end(result.broken.length === 0 ? 0 : 1);
}

if (process.env[INSIDE] === undefined) {
  await installPrograms();
  const isOwn = await hasNamespaces();
  await runInside(isOwn ? 'own' : 'loopback', isOwn ? ['unshare', '--net'] : []);
} else await runWithLifecycle(bench);
