import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { badRequest, type HttpError } from './errors.ts';

const HOST = /^(?:\[([^\]]+)\]|[a-z\d_](?:[\w.~-]*))(?::(\d{0,5}))?$/i;
const HOST_NAME = 'host';
const LAST_PORT = 65_535;

function isHost(text: string): boolean {
  const [whole, address, port = ''] = HOST.exec(text) ?? [];
  return whole !== undefined && (address === undefined || isIPv6(address)) && Number(port) <= LAST_PORT;
}

/** The rejection of a request without exactly one valid Host (RFC 9112, 3.2), or null. HTTP/1.0 knows requests without one. */
export function wrongHost({ raw, headers }: FastifyRequest): HttpError | null {
  let lines = 0;
  // `headers` has the first line only.
  for (let at = 0; at < raw.rawHeaders.length; at += 2) {
    const name = raw.rawHeaders[at] ?? '';
    if (name.length === HOST_NAME.length && name.toLowerCase() === HOST_NAME) lines += 1;
  }
  if (lines === 0 && raw.httpVersion === '1.0') return null;
  if (lines === 1 && isHost(headers.host ?? '')) return null;
  return badRequest('bad_host', 'Send the name of one host in the header Host');
}
