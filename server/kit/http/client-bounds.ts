import { BlockList, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { TrustedProxies } from '../trusted-proxies.ts';
import { createBuckets } from './buckets.ts';
import { clientAddress } from './client-address.ts';
import { rateLimited } from './errors.ts';
import { isInnerRequest } from './inner-request.ts';

/** Seconds' worth of requests that an address may send at once: several people behind it who open the page at the same time. */
const BURST_S = 3;

/** A write counts as this many requests. */
export const WRITE_UNITS = 10;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Units that a request takes of its address's limit; 1 by default. */
    units?: number;
  }
}

type Bounds = Pick<Config, 'requestsPerSecond' | 'trustProxy'>;

function proxyCheck(trusted: TrustedProxies): (address: string) => boolean {
  if (!Array.isArray(trusted)) return () => trusted !== false;
  const list = new BlockList();
  for (const network of trusted) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * Bounds what an address may send, of whatever kind: responses from memory cost little, and ten thousand of them at once
 * would keep all other clients waiting for a second. A direct client is answered by closing its connection, with all that it has sent
 * ahead; one behind a proxy, which shares its connections, by 429.
 */
export function boundClients(app: FastifyInstance, bounds: Bounds): void {
  const isProxy = proxyCheck(bounds.trustProxy);
  const { requestsPerSecond } = bounds;
  const buckets = createBuckets({
    perSecond: requestsPerSecond,
    most: Math.max(BURST_S * requestsPerSecond, WRITE_UNITS),
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { kind, units = 1 } = request.routeOptions.config;
    if (kind === 'always' || isInnerRequest()) return done();
    const { socket } = request.raw;
    const peer = socket.destroyed ? undefined : socket.remoteAddress;
    const waitMs = peer === undefined ? 0 : buckets.take(clientAddress(request), units);
    if (peer !== undefined && waitMs === 0) return done();
    if (peer !== undefined && isProxy(peer)) return done(rateLimited(waitMs));
    // Requests that were sent ahead on a closed connection are ignored.
    reply.hijack();
    socket.destroy();
  });
}
