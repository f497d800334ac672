import { ECDH } from 'node:crypto';
import type { PushSubscription } from '#shared/contract/push.ts';
import type { Config } from '#server/kit/config.ts';
import { badRequest } from '#server/kit/http/errors.ts';

export interface Subscription {
  endpoint: string;
  publicKey: Buffer;
  authSecret: Buffer;
}

const isNamed = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) && !host.startsWith('.') : host === pattern;

export function knownEndpoint({ pushHosts }: Pick<Config, 'pushHosts'>, text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  if (pushHosts.includes(url.origin)) return url;
  const isKnown = url.protocol === 'https:' && url.port === '' && pushHosts.some((name) => isNamed(url.hostname, name));
  return isKnown ? url : null;
}

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
  return { endpoint: url.href, publicKey, authSecret };
}
