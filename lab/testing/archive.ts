import { expect } from 'vitest';
import type { TestUser } from './client.ts';
import { unzip } from './unzip.ts';

export const requestArchive = (user: TestUser, signal?: AbortSignal): Promise<Response> =>
  fetch(`${user.url}/api/users/${user.id}/archive`, { headers: { cookie: user.cookie }, signal: signal ?? null });

export async function downloadArchive(user: TestUser): Promise<Map<string, Buffer>> {
  const response = await requestArchive(user);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return unzip(Buffer.from(await response.arrayBuffer()));
}

export const textOf = (files: ReadonlyMap<string, Buffer>, name: string): string => files.get(name)?.toString() ?? '';

export const jsonOf = (files: ReadonlyMap<string, Buffer>, name: string): unknown => JSON.parse(textOf(files, name));
