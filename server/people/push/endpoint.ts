import { ECDH } from 'node:crypto';
import type { PushSubscription } from '#shared/contract/push.ts';
import type { Config } from '#server/kit/config.ts';
import { badRequest } from '#server/kit/http/errors.ts';

export interface Subscription {
  endpoint: string;
  publicKey: Buffer;
  authSecret: Buffer;
  /** Public key of the site that the browser subscribed with; null: its push service rejected the site. */
  siteKey: Buffer | null;
}

const LABELS = /^[\w-]+(?:\.[\w-]+)*$/;

function isNamed(host: string, pattern: string): boolean {
  if (!pattern.startsWith('*.')) return host === pattern;
  const suffix = pattern.slice(1);
  return host.endsWith(suffix) && LABELS.test(host.slice(0, -suffix.length));
}

/** The entry of PUSH_HOSTS that lets the endpoint in. */
export function pushServiceOf({ pushHosts }: Pick<Config, 'pushHosts'>, text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  if (pushHosts.includes(url.origin)) return url.origin;
  if (url.protocol !== 'https:' || url.port !== '') return null;
  return pushHosts.find((name) => isNamed(url.hostname, name)) ?? null;
}

export const knownEndpoint = (config: Pick<Config, 'pushHosts'>, text: string): URL | null =>
  pushServiceOf(config, text) === null ? null : new URL(text);

function isPoint(key: Buffer): boolean {
  try {
    return key.length === 65 && ECDH.convertKey(key, 'prime256v1', undefined, undefined, 'uncompressed').length === 65;
  } catch {
    return false;
  }
}

/** @throws 400 for an endpoint of no known push service, or keys that nothing can be encrypted with */
export function readSubscription(config: Config, { endpoint, keys }: PushSubscription): Subscription {
  const url = knownEndpoint(config, endpoint);
  if (url === null) throw badRequest('unknown_push_service', 'This browser uses a push service that is not known here');
  const [publicKey, authSecret] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')];
  if (!isPoint(publicKey) || authSecret.length !== 16)
    throw badRequest('invalid_input', 'The keys of the subscription are not usable');
  const { publicKey: siteKey } = config.pushKey ?? {};
  return { endpoint: url.href, publicKey, authSecret, siteKey: siteKey ? Buffer.from(siteKey, 'base64url') : null };
}
