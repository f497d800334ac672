import { expect } from '@playwright/test';
import type { RecordSummary } from '#shared/contract/record.ts';
import { SESSION_COOKIE } from '#shared/constants.ts';
import { adminKeypair } from './chain.ts';
import { signInOverHttp } from './fixtures.ts';
import { setting } from './setting.ts';

async function send<T>(route: string, headers: Record<string, string>, body?: object): Promise<T | null> {
  const [method = 'GET', path = ''] = route.split(' ');
  const response = await fetch(`${setting('E2E_URL')}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (response.status === 409) return null;
  if (!response.ok) throw new Error(`${path} responds with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/**
 * Publishes a batch that holds the votes until `untilMs`, and resolves when its checkpoint is anchored. A transaction of another journey
 * that is still open ends a batch early: then the next one has them.
 */
export async function publishVotesUntil(untilMs: number): Promise<void> {
  const admin = await signInOverHttp(await adminKeypair());
  const cookie = `${SESSION_COOKIE}=${admin.cookie}`;
  const login = { walletAddress: admin.address, password: 'snapswipe-e2e' };
  const session = await send<{ sessionToken: string }>('POST /api/admin/login', { cookie }, login);
  const headers = { cookie, 'x-admin-token': session?.sessionToken ?? '' };
  const newest = async () => (await send<RecordSummary>('GET /api/record', {}))?.checkpoints[0];
  await expect
    .poll(async () => {
      await send('POST /api/admin/record/publish', headers);
      return Date.parse((await newest())?.until ?? '');
    })
    .toBeGreaterThan(untilMs);
  await expect.poll(async () => (await newest())?.anchorState).toBe('anchored');
}
