import { randomInt } from 'node:crypto';
import type { Config } from '#server/kit/config.ts';
import { failure, reasonOf, warning } from './check.ts';
import { PROBE_HEADER, PROBE_PATH, Sighting, createProbe } from './probe.ts';
import { request, type SiteResponse } from './request.ts';
import type { Subject } from './subject.ts';

type Site = Pick<Subject, 'config' | 'door'>;

const LARGE_BODY_BYTES = 14_000_000;

const RENEW =
  'Caddy renews automatically: see `journalctl -u caddy`. With nginx: `certbot renew`, then `systemctl reload nginx`';

async function reach(door: Subject['door']): Promise<SiteResponse> {
  try {
    return await request(door, { path: '/healthz' });
  } catch (error) {
    if (/^(?:CERT_|ERR_TLS_|DEPTH_|SELF_|UNABLE_TO_)/.test((error as { code?: string }).code ?? ''))
      throw failure(`browsers refuse the certificate of ${door.origin}: ${reasonOf(error)}`, RENEW);
    throw failure(
      `${door.origin} cannot be reached from here: ${reasonOf(error)}`,
      'See that its name leads to the proxy, that the proxy runs and has a certificate, and that the firewall passes ports 80 and 443. Where a machine cannot reach its own public address, ask the proxy itself: `npm run doctor -- --connect 127.0.0.1:443`',
    );
  }
}

export async function askSite({ door }: Pick<Site, 'door'>): Promise<string> {
  const { status, body } = await reach(door);
  if (status === 502 || status === 503 || status === 504)
    throw failure(
      `the proxy responds with ${status}: it does not reach the server`,
      'Start the server (`systemctl status snapswipe`), and compare HOST and PORT with the address in the proxy’s configuration',
    );
  if (status !== 200 || !body.includes('"ok":true'))
    throw failure(
      `something else responds at ${door.origin} (status ${status})`,
      'Let the proxy pass every path on to the server, /healthz too, and see that PUBLIC_ORIGIN is right',
    );
  return `${door.origin} answers`;
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** An address of a network for examples, which is never assigned. */
const forgedAddress = (): string => `203.0.113.${randomInt(1, 255)}`;

function evaluateSighting({ trustProxy, publicOrigin }: Config, seen: Sighting, forged: string): string {
  const written = seen.forwardedFor.filter((address) => address !== forged).length;
  const replace =
    'let the outermost proxy replace X-Forwarded-For instead of adding to it (ops/deploy/nginx.conf, ops/deploy/Caddyfile)';
  if (seen.address === forged) {
    const what = 'clients choose the address that limits and the audit log use';
    const count = `set TRUST_PROXY to the number of proxies that write it (${written} did), and ${replace}`;
    if (Array.isArray(trustProxy) && written > 0)
      throw warning(`seen from this machine, ${what}`, capitalized(replace));
    throw failure(what, capitalized(count));
  }
  const isBehind = written > 0 || publicOrigin.startsWith('https:');
  if (trustProxy === false && isBehind)
    throw failure(
      `all users have the address ${seen.address} of the proxy, and share one limit`,
      `Set TRUST_PROXY=${Math.max(1, written)}, and restart${written === 0 ? '; let the proxy write X-Forwarded-For' : ''}`,
    );
  if (trustProxy !== false && written === 0)
    throw failure(
      `the proxy writes no X-Forwarded-For: all users have its address ${seen.address}, and share one limit`,
      'Let it write the client’s address there (ops/deploy/nginx.conf, ops/deploy/Caddyfile)',
    );
  if (typeof trustProxy === 'number' && written > trustProxy)
    throw failure(
      `${written} proxies write X-Forwarded-For, and TRUST_PROXY is ${trustProxy}: all users have the address ${seen.address} of one of them`,
      `Set TRUST_PROXY=${written}, and restart`,
    );
  const { host } = new URL(publicOrigin);
  if (seen.host !== host)
    throw warning(`the proxy passes ${seen.host} on as the host`, `Let it pass the client’s Host on: ${host}`);
  if (trustProxy === false) return 'none: clients reach the server directly';
  return `the server sees the client’s address (this machine’s is ${seen.address}), and no forged one`;
}

/** Sends a request that only the operator can sign through the public address. */
export async function askProxy({ config, door }: Site): Promise<string> {
  const probe = createProbe(config);
  const forged = forgedAddress();
  const headers = { [PROBE_HEADER]: probe.header, 'x-forwarded-for': forged };
  const { status, headers: received, body } = await request(door, { path: PROBE_PATH, headers });
  const signature = [received[PROBE_HEADER] ?? ''].flat().join('');
  if (status !== 200 || !probe.isResponse(body, signature))
    throw failure(
      `${door.origin} does not lead to a server with these settings (status ${status})`,
      'Restart the server after a change of its settings; otherwise make sure that PUBLIC_ORIGIN leads to this server without a cache in between',
    );
  const said = evaluateSighting(config, Sighting.parse(JSON.parse(body)), forged);
  if (typeof config.trustProxy === 'number' && !/^(127\.|::1$|localhost$)/.test(config.host))
    throw warning(
      `the server listens on ${config.host}: a client that reaches its port without the proxy chooses its own address`,
      'Set HOST=127.0.0.1, or let a firewall pass the proxies alone, or name their addresses in TRUST_PROXY',
    );
  return said;
}

/** The server refuses a stranger's picture of 10 MB before it reads the body; a proxy must let it through. */
export async function askUploads({ door }: Pick<Site, 'door'>): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: door.origin };
  const question = { path: '/api/payments', method: 'POST', headers, bodyBytes: LARGE_BODY_BYTES };
  const remedy =
    'Let the proxy accept 16 MB and pass bodies on as they come (client_max_body_size 16m; proxy_request_buffering off;)';
  const { status, body } = await request(door, question).catch((error: unknown) => {
    throw failure(`an upload of 14 MB gets no response: ${reasonOf(error)}`, remedy);
  });
  if (status === 413) throw failure('the proxy refuses an upload of 14 MB', remedy);
  // The server's own status: a proxy sends 503 for a server that is down, too.
  const isBusy = status === 503 && /"error":"(?:uploads_)?busy"/.test(body);
  if (status !== 401 && !isBusy)
    throw warning(`an upload of 14 MB gets status ${status} instead of the server's 401`, remedy);
  return '14 MB get through';
}
