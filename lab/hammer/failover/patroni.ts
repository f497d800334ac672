import { z } from 'zod';

const Member = z.object({
  name: z.string(),
  role: z.string(),
  state: z.string(),
  timeline: z.number().optional(),
  lag: z.union([z.number(), z.string()]).optional(),
});
const ClusterView = z.object({ members: z.array(Member) });
const EtcdStatus = z.object({ header: z.object({ member_id: z.string() }), leader: z.string().optional() });

export type Member = z.infer<typeof Member>;

const TIMEOUT_MS = 2_000;

async function askPatroni(address: string): Promise<Member[]> {
  const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return ClusterView.parse(await response.json()).members;
}

/** Members as seen by the first Patroni that responds. */
export async function members(addresses: readonly string[]): Promise<Member[]> {
  return Promise.any(addresses.map(askPatroni)).catch(() => []);
}

const numberOf = (name: string): number => Number(name.slice('machine-'.length));

/** The machine whose PostgreSQL leads: the one that reports it itself, by HAProxy's check. */
export async function leaderOf(addresses: readonly string[]): Promise<number | null> {
  const answers = await Promise.all(
    addresses.map(async (address) => {
      const request = fetch(`http://${address}:8008/primary`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      return (await request.catch(() => null))?.status === 200;
    }),
  );
  const at = answers.indexOf(true);
  return at === -1 ? null : at + 1;
}

/** One leader, and both others follow it, one of them synchronously. */
export function isWhole(found: readonly Member[]): boolean {
  const leader = found.find(({ role }) => role === 'leader');
  const followers = found.filter(({ role }) => role !== 'leader');
  return (
    leader?.state === 'running' &&
    followers.length === 2 &&
    followers.every(({ state, timeline }) => state === 'running' && timeline === leader.timeline) &&
    followers.some(({ role }) => role === 'sync_standby')
  );
}

export const synchronousOf = (found: readonly Member[]): number | null => {
  const member = found.find(({ role }) => role === 'sync_standby');
  return member ? numberOf(member.name) : null;
};

/** The same request as `patronictl switchover`. */
export async function switchOver(address: string, leader: number, password: string): Promise<string> {
  const response = await fetch(`http://${address}:8008/switchover`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}` },
    body: JSON.stringify({ leader: `machine-${leader}` }),
    signal: AbortSignal.timeout(60_000),
  });
  return `${response.status} ${await response.text()}`;
}

/** The machine whose etcd leads the other two. */
export async function etcdLeaderOf(addresses: readonly string[]): Promise<number | null> {
  for (const [at, address] of addresses.entries()) {
    const url = `http://${address}:2379/v3/maintenance/status`;
    const request = fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const status = await request.then(async (response) => EtcdStatus.parse(await response.json())).catch(() => null);
    if (status !== null && status.leader === status.header.member_id) return at + 1;
  }
  return null;
}
