/**
 * Requests to addresses that users name. The connection is made to no address but a public one: names are looked up here, and the checked
 * addresses are those that are used, so that a name cannot change in between. Redirects are not followed.
 */
import { lookup } from 'node:dns';
import { Agent as HttpAgent, type ClientRequest, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/** IPv4 networks that lead to no machine on the internet (RFC 6890). */
const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(network, bits);

/** IPv6: only global unicast leads there, without what documents use, and what wraps an IPv4 address (Teredo, 6to4). */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6');

/** IPv6 forms in which resolvers write IPv4 addresses: mapped (RFC 4291), and for a NAT64 gateway (RFC 6052). */
const WRAPS_IPV4 = new BlockList();
for (const network of ['::ffff:0:0', '64:ff9b::']) WRAPS_IPV4.addSubnet(network, 96, 'ipv6');

/** The last 32 bits of an IPv6 address. */
function ipv4Within(address: string): string {
  const { hostname } = new URL(`http://[${address}]`);
  const [high = 0, low = 0] = hostname
    .slice(1, -1)
    .replace('::', ':0:0:')
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** An IPv4 address inside an IPv6 one is checked as IPv4. An address with a zone (`%eth0`) belongs to one link. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return isIP(address) === 4 && !NOT_PUBLIC.check(address);
  if (address.includes('%')) return false;
  if (WRAPS_IPV4.check(address, 'ipv6')) return !NOT_PUBLIC.check(ipv4Within(address));
  return GLOBAL.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

export class ForbiddenAddress extends Error {}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0);
    const other = found.find(({ address }) => !isPublicAddress(address));
    const [first] = found;
    if (other || !first) return callback(new ForbiddenAddress(`${hostname} is not on the internet`), '', 0);
    if (options.all) return callback(null, found);
    return callback(null, first.address, first.family);
  });
};

const MAX_SOCKETS = 25;
const KEPT = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 5, timeout: 30_000 };
const httpsAgent = new HttpsAgent(KEPT);
const httpAgent = new HttpAgent(KEPT);

export interface OutgoingPost {
  headers: Record<string, string>;
  body: Buffer;
  timeoutMs: number;
  /** Origins on this machine that a test allows: plain http, without the check of addresses. */
  testOrigins?: readonly string[];
}

export interface OutgoingResponse {
  status: number;
  retryAfter: string | null;
}

function open(url: URL, { headers, testOrigins = [] }: OutgoingPost, signal: AbortSignal): ClientRequest {
  const options = { method: 'POST', headers, signal };
  if (testOrigins.includes(url.origin)) return requestHttp(url, { ...options, agent: httpAgent });
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:') throw new ForbiddenAddress('only https is allowed');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new ForbiddenAddress(`${host} is not on the internet`);
  return requestHttps(url, { ...options, agent: httpsAgent, lookup: publicLookup });
}

/**
 * Sends a POST. Its response counts from its status and Retry-After; the body is thrown away.
 * @throws ForbiddenAddress, or the error of the connection
 */
export async function postOutside(url: URL, post: OutgoingPost): Promise<OutgoingResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<OutgoingResponse>();
  const request = open(url, post, AbortSignal.timeout(post.timeoutMs));
  request.once('error', reject);
  request.once('response', (response) => {
    resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null });
    let left = 65_536;
    response.on('error', () => undefined);
    response.on('data', (part: Buffer) => {
      left -= part.length;
      if (left < 0) response.destroy();
    });
  });
  request.end(post.body);
  return promise;
}
