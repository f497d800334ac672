import { BlockList, isIP, isIPv6 } from 'node:net';
import os from 'node:os';
import { request } from './request.ts';
import { failure, warning } from './check.ts';
import type { Subject } from './subject.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, bits);
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

const isLoopback = (host: string): boolean => host === 'localhost' || (isIP(host) > 0 && isIn(LOOPBACK, host));
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);
const OTHER_SETTINGS = 'Restart the server, which runs on other settings than these';

const outsideAddresses = (): string[] =>
  Object.values(os.networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ address, internal }) => !internal && !/^fe80:/i.test(address))
    .map(({ address }) => address);

async function responds(address: string, port: number, path: string, part: string): Promise<boolean> {
  const origin = `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
  return request({ origin }, { path }).then(
    ({ body }) => body.includes(part),
    () => false,
  );
}

const findOpen = async (addresses: string[], port: number, path: string, part: string): Promise<string | undefined> => {
  const open = await Promise.all(addresses.map((address) => responds(address, port, path, part)));
  return addresses.find((_address, index) => open[index]);
};

/** Checks what strangers reach, at the addresses of this machine too: a server may run on settings other than the present ones. */
export async function askExposure({
  config,
  door,
  outside,
}: Pick<Subject, 'config' | 'door' | 'outside'>): Promise<string> {
  const { host, port, trustProxy, metricsHost, metricsPort } = config;
  const { status } = await request(door, { path: '/metrics' });
  if (status === 200)
    throw failure(
      'anyone can read /metrics',
      'Let the proxy respond to /metrics with 404, as the samples in ops/deploy/ do, and set METRICS_PORT or METRICS_TOKEN',
    );
  if (metricsPort !== null && EVERY_ADDRESS.has(metricsHost))
    throw warning(
      `anyone who reaches port ${metricsPort} of this machine can read /metrics`,
      'Set METRICS_HOST to 127.0.0.1 or to an address of a private network, or let a firewall pass Prometheus alone',
    );
  const addresses = outside ?? outsideAddresses();
  const server = await findOpen(addresses, port, '/healthz', '"ok":true');
  if (server !== undefined && typeof trustProxy === 'number' && isLoopback(host))
    throw failure(
      `${server}:${port} responds without the proxy, and HOST is ${host}: there clients choose the address that limits and the audit log use`,
      OTHER_SETTINGS,
    );
  const metrics =
    metricsPort === null ? undefined : await findOpen(addresses, metricsPort, '/metrics', '# HELP snapswipe_');
  if (metrics !== undefined && !isIn(PRIVATE, metrics))
    throw failure(
      `anyone can read /metrics at ${metrics}:${metricsPort}`,
      `Set METRICS_HOST=127.0.0.1 (it is ${metricsHost}) and restart the server, or let a firewall pass Prometheus alone`,
    );
  if (metrics !== undefined && isLoopback(metricsHost))
    throw warning(`/metrics responds at ${metrics}:${metricsPort}, and METRICS_HOST is ${metricsHost}`, OTHER_SETTINGS);
  return server === undefined ? 'on this machine alone' : `${server}:${port}`;
}
