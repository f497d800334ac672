import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { TrustedProxies } from '../trusted-proxies.ts';

const IN_BRACKETS = /^\[([^\]]*)\](?::\d{1,5})?$/;
const QUOTED = /^"(.*)"$/;
const ZONE = /%.*$/;
const PORT = /:\d{1,5}$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

function normalizeIPv6(address: string): string {
  const short = new SocketAddress({ address, family: 'ipv6' }).address;
  return MAPPED.exec(short)?.[1] ?? short;
}

/**
 * The one reader of client addresses, as sockets and proxies write them: with a port, brackets, quotes or a zone. Null for anything else.
 * IPv4 inside IPv6 becomes IPv4.
 */
export function parseAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const plain = text.trim().replace(QUOTED, '$1');
  const bare = (IN_BRACKETS.exec(plain)?.[1] ?? plain).replace(ZONE, '');
  for (const candidate of [bare, bare.replace(PORT, '')]) {
    if (isIPv4(candidate)) return candidate;
    if (isIPv6(candidate)) return normalizeIPv6(candidate);
  }
  return null;
}

const HEADER = 'x-forwarded-for';

/** Unreadable entries stay: each counts as a proxy. */
export const parseForwardedFor = (list: string): string =>
  list
    .split(',')
    .map((entry) => parseAddress(entry) ?? entry.trim())
    .filter((entry) => entry !== '')
    .join(', ');

/** Registered before anything reads `request.ip`: the framework takes entries of the list as they are. */
export function readForwardedFor(app: FastifyInstance, trusted: TrustedProxies): void {
  if (trusted === false) return;
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const list = headers[HEADER];
    if (typeof list === 'string') headers[HEADER] = parseForwardedFor(list);
    done();
  });
}
