import { BlockList, isIP } from 'node:net';

/**
 * Proxies whose X-Forwarded-For is trusted: none, a number in a row counted from the server, or those of certain
 * networks.
 */
export type TrustedProxies = false | number | string[];

const MAX_HOPS = 10;

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) === 0) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 6 ? 'ipv6' : 'ipv4');
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads TRUST_PROXY: 'false', a number of hops, or comma-separated addresses and networks (CIDR). Null for other
 * values, in particular 'true': it would trust the left end of X-Forwarded-For, which the client writes.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'false' || trimmed === '0') return false;
  if (/^\d{1,2}$/.test(trimmed)) return Number(trimmed) <= MAX_HOPS ? Number(trimmed) : null;
  const networks = trimmed.split(',').map((one) => one.trim());
  return networks.every(isNetwork) ? networks : null;
}

/**
 * The framework's form. By default, the framework trusts no number of hops, since a client that reaches the server
 * directly could write as many; with a number the operator guarantees that none can.
 */
export function trustOf(trusted: TrustedProxies): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted;
}
