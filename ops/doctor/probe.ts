import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '#server/kit/config.ts';

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

/**
 * A secret shared by all servers of a site and the operator who runs `npm run doctor`; no other client can make a
 * probe.
 */
const keyOf = ({ adminPasswordHash, adminPassword }: Secrets): Buffer =>
  Buffer.from(hkdfSync('sha256', adminPasswordHash ?? adminPassword ?? '', '', 'snapswipe doctor probe', 32));

const sign = (key: Buffer, ...parts: string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export interface Probe {
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

export interface ProbeGate {
  admit(header: string | undefined): ((body: string) => string) | null;
}

export function createProbeGate(secrets: Secrets, now = () => Date.now()): ProbeGate {
  const key = keyOf(secrets);
  const used = new Map<string, number>();
  return {
    admit(header = '') {
      const [issuedAt = '', nonce = '', signature = ''] = header.split('.');
      if (!isSame(signature, sign(key, 'probe', issuedAt, nonce))) return null;
      const nowMs = now();
      for (const [old, atMs] of used) if (Math.abs(nowMs - atMs) > LIFETIME_MS) used.delete(old);
      if (used.has(nonce) || Math.abs(nowMs - Number(issuedAt)) > LIFETIME_MS) return null;
      used.set(nonce, Number(issuedAt));
      return (body) => sign(key, 'sighting', nonce, body);
    },
  };
}
