import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Config } from '#server/kit/config.ts';
import type { Services } from '#server/kit/services.ts';

export const PROBE_PATH = '/healthz/probe';
/** Headers of a request: time, nonce, and their signature. Header of its response: the signature of nonce and body. */
export const PROBE_HEADER = 'x-snapswipe-probe';
const LIFETIME_MS = 60_000;

export const Sighting = z.object({
  address: z.string(),
  forwardedFor: z.array(z.string()),
  host: z.string(),
});
export type Sighting = z.infer<typeof Sighting>;

type Secrets = Pick<Config, 'adminPasswordHash' | 'adminPassword'>;

/** Shared by all servers of a site and the operator: no other client can make a probe. */
const keyOf = ({ adminPasswordHash, adminPassword }: Secrets): Buffer =>
  Buffer.from(hkdfSync('sha256', adminPasswordHash ?? adminPassword ?? '', '', 'snapswipe doctor probe', 32));

const sign = (key: Buffer, ...parts: string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

interface Probe {
  header: string;
  isResponse(body: string, signature: string): boolean;
}

export function createProbe(secrets: Secrets, nowMs = Date.now()): Probe {
  const key = keyOf(secrets);
  const nonce = randomBytes(16).toString('base64url');
  return {
    header: [nowMs, nonce, sign(key, 'probe', String(nowMs), nonce)].join('.'),
    isResponse: (body, signature) => isSame(signature, sign(key, 'sighting', nonce, body)),
  };
}

/** Admits each probe once, within a minute; returns the signature of a response to it. */
function createProbeGate(secrets: Secrets): (header: string) => ((body: string) => string) | null {
  const key = keyOf(secrets);
  const used = new Map<string, number>();
  return (header) => {
    const [issuedAt = '', nonce = '', signature = ''] = header.split('.');
    if (!isSame(signature, sign(key, 'probe', issuedAt, nonce))) return null;
    const nowMs = Date.now();
    for (const [old, atMs] of used) if (Math.abs(nowMs - atMs) > LIFETIME_MS) used.delete(old);
    if (used.has(nonce) || Math.abs(nowMs - Number(issuedAt)) > LIFETIME_MS) return null;
    used.set(nonce, Number(issuedAt));
    return (body) => sign(key, 'sighting', nonce, body);
  };
}

export function mountProbe(app: FastifyInstance, { config }: Services): void {
  const admit = createProbeGate(config);
  const options = { logLevel: 'silent', config: { kind: 'always' } } as const;
  app.get(PROBE_PATH, options, (request, reply) => {
    const given = request.headers[PROBE_HEADER];
    const sign = admit(typeof given === 'string' ? given : '');
    if (sign === null) return reply.callNotFound();
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',');
    const sighting: Sighting = {
      address: request.ip,
      forwardedFor: forwarded.split(',').flatMap((one) => one.trim() || []),
      host: request.headers.host ?? '',
    };
    const body = JSON.stringify(sighting);
    return reply
      .header('cache-control', 'no-store')
      .header(PROBE_HEADER, sign(body))
      .type('application/json')
      .send(body);
  });
}
