/**
 * A machine of the cluster, with the role of systemd on a real one. Starts its services on request, restarts each a
 * second after it ended for any reason (Restart=always of ops/deploy/cluster/restart.conf), and ends with all of them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Service {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** A user other than the machine's own. */
  user?: { uid: number; gid: number } | undefined;
  logFile: string;
}

export interface MachineSpec {
  /** PostgreSQL's data folder, in which its processes work. */
  dataDir: string;
}

export type MachineOrder = { start: Service[] } | { kill: string } | { killPostgres: true };
export type MachineReport = { done: true } | { ended: string; how: string };

const RESTART_MS = 1_000;

const spec = JSON.parse(process.argv[2] ?? '{}') as MachineSpec;
const running = new Map<string, ChildProcess>();

const report = (message: MachineReport): void => void process.send?.(message);

function start(service: Service): void {
  const log = openSync(service.logFile, 'a');
  const child = spawn(service.command, service.args, {
    env: service.env,
    cwd: '/',
    stdio: ['ignore', log, log],
    ...service.user,
  });
  closeSync(log);
  running.set(service.name, child);
  const end = (how: string): void => {
    report({ ended: service.name, how });
    setTimeout(start, RESTART_MS, service);
  };
  child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  child.once('error', (error) => end(error.message));
}

const linkOf = (file: string): string => {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
};

/**
 * Every process of this machine's PostgreSQL: its children would otherwise shut down in order when their parent is
 * missing.
 */
function postgresPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => linkOf(`/proc/${pid}/cwd`) === spec.dataDir && commandOf(pid) === 'postgres');
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

function killPostgres(): void {
  for (const pid of postgresPids()) process.kill(pid, 'SIGKILL');
}

process.on('message', (order: MachineOrder) => {
  if ('start' in order) order.start.forEach(start);
  else if ('kill' in order) running.get(order.kill)?.kill('SIGKILL');
  else killPostgres();
  report({ done: true });
});

// Without the bench there is no machine. In a separate process namespace, no process is left either.
process.on('disconnect', () => {
  for (const child of running.values()) child.kill('SIGKILL');
  killPostgres();
  process.exit(0);
});
