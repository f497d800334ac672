import type { Cluster, MachineNumber } from './cluster.ts';
import { etcdLeaderOf, switchOver, synchronousOf } from './patroni.ts';

export interface Fault {
  name: string;
  title: string;
  /** Needs network namespaces. */
  cuts?: true;
  /** Another machine leads after the fault. */
  movesLeader?: true;
  /**
   * Returns a function that ends the fault, if it does not end on its own: it restores power and cables, and starts
   * nothing by hand.
   */
  strike(cluster: Cluster, leader: MachineNumber, round: number): Promise<{ what: string; end?: () => Promise<void> }>;
}

async function cutOff({ network }: Cluster, machine: number): Promise<{ what: string; end: () => Promise<void> }> {
  await network.cut(machine);
  return { what: `machine ${machine}`, end: () => network.heal(machine) };
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'postgres',
    title: "kill -9 of the leader's PostgreSQL",
    movesLeader: true,
    async strike({ machines }, leader) {
      await machines[leader].killPostgres();
      return { what: `machine ${leader}` };
    },
  },
  {
    name: 'machine',
    title: "all processes of the leader's machine",
    movesLeader: true,
    async strike({ machines }, leader) {
      await machines[leader].losePower();
      return { what: `machine ${leader}`, end: () => machines[leader].boot() };
    },
  },
  {
    name: 'network',
    title: "the leader's network cut",
    cuts: true,
    movesLeader: true,
    strike: (cluster, leader) => cutOff(cluster, leader),
  },
  {
    name: 'etcd',
    title: "kill -9 of etcd's leader",
    async strike({ machines, network }) {
      const machine = (await etcdLeaderOf(network.addresses)) as MachineNumber | null;
      if (machine === null) throw new Error('etcd has no leader');
      await machines[machine].kill('etcd');
      return { what: `machine ${machine}` };
    },
  },
  {
    name: 'switchover',
    title: 'switchover on purpose',
    movesLeader: true,
    async strike({ network, settings }, leader) {
      const answer = await switchOver(network.addresses[leader - 1] ?? '', leader, settings['API_PASSWORD'] ?? '');
      if (!answer.startsWith('200')) throw new Error(`switchover refused: ${answer}`);
      return { what: answer.slice(4) };
    },
  },
  {
    name: 'server',
    title: 'kill -9 of one server process',
    async strike({ machines }, _leader, round) {
      const machine = round % 2 === 0 ? 1 : 2;
      await machines[machine].kill('server');
      return { what: `machine ${machine}` };
    },
  },
  {
    name: 'standby',
    title: "the second copy's network cut",
    cuts: true,
    async strike(cluster) {
      const machine = synchronousOf(await cluster.view());
      if (machine === null) throw new Error('nobody follows synchronously');
      return cutOff(cluster, machine);
    },
  },
];
