import { readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '#ops/process/programs.ts';

/** Separation of the bench's machines. */
export interface Network {
  /**
   * A separate network, processes and shared memory for each machine; otherwise all are processes of one machine on
   * loopback.
   */
  isReal: boolean;
  /** Addresses of the machines 1 to 3; the bench itself, its clients and the sandbox chain are at `hub`. */
  addresses: [string, string, string];
  hub: string;
  /** The program that starts a machine's own program. */
  wrap(command: string, args: string[]): { command: string; args: string[] };
  /** Connects a machine that was just started, by the id of its process. */
  connect(machine: number, pid: number): Promise<void>;
  /** Unplugs the cable: no packet passes, and neither side is notified. */
  cut(machine: number): Promise<void>;
  heal(machine: number): Promise<void>;
}

const BRIDGE = 'cluster';
const portOf = (machine: number): string => `machine-${machine}`;

async function ip(...args: string[]): Promise<void> {
  const { code, output } = await run('ip', args);
  if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${output.trim()}`);
}

/**
 * Whether this user may create networks and processes of its own; everything is already inside of a new network then.
 */
export async function hasNamespaces(): Promise<boolean> {
  const args = ['--net', '--pid', '--ipc', '--mount-proc', '--fork', 'ip', 'link', 'set', 'lo', 'up'];
  return process.getuid?.() === 0 && (await run('unshare', args)).code === 0;
}

/** A switch in the bench's own network, which is separate from this machine's. */
export async function namespaces(): Promise<Network> {
  const hub = '10.77.0.254';
  await ip('link', 'set', 'lo', 'up');
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  await ip('addr', 'add', `${hub}/24`, 'dev', BRIDGE);
  await ip('link', 'set', BRIDGE, 'up');
  return {
    isReal: true,
    hub,
    addresses: ['10.77.0.1', '10.77.0.2', '10.77.0.3'],
    wrap: (command, args) => ({
      command: 'unshare',
      // The first process of a machine only reaps the orphans; killing it takes all others with it immediately.
      args: [
        '--net',
        '--pid',
        '--ipc',
        '--mount-proc',
        '--fork',
        '--kill-child',
        'sh',
        '-c',
        '"$@" & wait',
        'sh',
      ].concat([command, ...args]),
    }),
    async connect(machine, pid) {
      await ownNetwork(pid);
      await run('ip', ['link', 'del', portOf(machine)]);
      const peer = ['peer', 'name', 'eth0', 'address', `02:00:00:00:00:0${machine}`, 'netns', String(pid)];
      await ip('link', 'add', portOf(machine), 'type', 'veth', ...peer);
      const inside = (...args: string[]) => run('nsenter', [`--net=/proc/${pid}/ns/net`, 'ip', ...args]);
      await inside('link', 'set', 'lo', 'up');
      await inside('addr', 'add', `10.77.0.${machine}/24`, 'dev', 'eth0');
      await inside('link', 'set', 'eth0', 'up');
      await ip('link', 'set', portOf(machine), 'master', BRIDGE, 'up');
    },
    cut: (machine) => ip('link', 'set', portOf(machine), 'nomaster'),
    heal: (machine) => ip('link', 'set', portOf(machine), 'master', BRIDGE),
  };
}

/** Waits until the process has left our network for a new one. */
async function ownNetwork(pid: number): Promise<void> {
  const ours = await readlink('/proc/self/ns/net');
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await readlink(`/proc/${pid}/ns/net`).catch(() => ours)) !== ours) return;
    await sleep(10);
  }
  throw new Error('a machine got no network of its own');
}

/** The first process inside a wrapped one's process namespace, as seen from here. */
export async function innerPid(pid: number): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    const [first] = children.trim().split(' ');
    if (first) return Number(first);
    await sleep(10);
  }
  throw new Error('a machine did not start');
}

/** Without namespaces: three addresses of the loopback network. Processes can be killed, the network cannot be cut. */
export function loopback(): Network {
  const unable = (): Promise<never> => Promise.reject(new Error('without network namespaces nothing can be cut'));
  return {
    isReal: false,
    hub: '127.77.0.254',
    addresses: ['127.77.0.1', '127.77.0.2', '127.77.0.3'],
    wrap: (command, args) => ({ command, args }),
    connect: async () => undefined,
    cut: unable,
    heal: unable,
  };
}
