import type { PushPayload } from '#shared/people/push-kinds.ts';
import type { Config } from '#server/kit/config.ts';
import { ForbiddenAddress, type OutgoingResponse, postOutside } from '#server/kit/outgoing.ts';
import { knownEndpoint, type Subscription } from './endpoint.ts';

const TIMEOUT_MS = 5_000;
const LONGEST_WAIT_S = 6 * 3_600;

/**
 * Result of one attempt. `gone`: the browser has ended its subscription. `rejected`: its push service takes nothing for
 * it from this site, mostly because the site's key has changed. `refused`: another attempt of this message would change nothing.
 */
export type Delivery =
  | { result: 'sent' }
  | { result: 'gone' }
  | { result: 'rejected' | 'refused'; reason: string }
  | { result: 'failed'; reason: string; retryAfterS: number | null };

function waitOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1_000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), LONGEST_WAIT_S) : null;
}

/** Windows sends 406 instead of 429. */
const BUSY = new Set([406, 408, 425, 429]);
const TOO_LARGE = 413;

/** Meaning of a response (RFC 8030). A redirect is a rejection too. */
function meaningOf({ status, retryAfter }: OutgoingResponse): Delivery {
  if (status >= 200 && status < 300) return { result: 'sent' };
  if (status === 404 || status === 410) return { result: 'gone' };
  const reason = `status ${status}`;
  if (status >= 500 || BUSY.has(status)) return { result: 'failed', reason, retryAfterS: waitOf(retryAfter) };
  return { result: status === TOO_LARGE ? 'refused' : 'rejected', reason };
}

/** Sends a message to a browser: encrypted for it (RFC 8291), signed by the site (RFC 8292). */
export async function deliver(
  { pushKey, pushHosts, publicOrigin }: Pick<Config, 'pushKey' | 'pushHosts' | 'publicOrigin'>,
  { endpoint, publicKey, authSecret, siteKey }: Subscription,
  message: { payload: PushPayload; ttlS: number; topic: string },
): Promise<Delivery> {
  const url = knownEndpoint({ pushHosts }, endpoint);
  if (url === null || pushKey === null) return { result: 'rejected', reason: 'the push service is not known here' };
  if (siteKey?.toString('base64url') !== pushKey.publicKey)
    return { result: 'rejected', reason: 'subscribed with another key' };
  // Loaded with the first message: most servers send none for hours.
  const { generateRequestDetails } = (await import('web-push')).default;
  const keys = { p256dh: publicKey.toString('base64url'), auth: authSecret.toString('base64url') };
  const { headers, body } = generateRequestDetails({ endpoint, keys }, JSON.stringify(message.payload), {
    vapidDetails: { subject: subjectOf(publicOrigin), ...pushKey },
    TTL: message.ttlS,
    topic: message.topic,
  });
  const sent = Object.entries(headers as Record<string, string | number>).map(([name, value]) => [name, String(value)]);
  try {
    const response = await postOutside(url, {
      headers: Object.fromEntries(sent) as Record<string, string>,
      body: body ?? Buffer.alloc(0),
      timeoutMs: TIMEOUT_MS,
      testOrigins: pushHosts.filter((name) => name.includes('://')),
    });
    return meaningOf(response);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ForbiddenAddress) return { result: 'refused', reason };
    return { result: 'failed', reason, retryAfterS: null };
  }
}

/** Contact for push services (https or mailto): the site, whose /privacy names its operator. */
function subjectOf(publicOrigin: string): string {
  const { protocol, hostname, origin } = new URL(publicOrigin);
  return protocol === 'https:' ? origin : `mailto:operator@${hostname}`;
}
