import { unzipSync } from 'fflate';
import { expect } from 'vitest';
import type { TestUser } from './client.ts';

export const requestArchive = (user: TestUser, signal?: AbortSignal): Promise<Response> =>
  fetch(`${user.url}/api/users/${user.id}/archive`, { headers: { cookie: user.cookie }, signal: signal ?? null });

export async function downloadArchive(user: TestUser): Promise<Map<string, Buffer>> {
  const response = await requestArchive(user);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = Object.entries(unzipSync(await response.bytes()));
  return new Map(files.map(([name, bytes]) => [name, Buffer.from(bytes)]));
}

export const textOf = (files: ReadonlyMap<string, Buffer>, name: string): string => files.get(name)?.toString() ?? '';

export const jsonOf = (files: ReadonlyMap<string, Buffer>, name: string): unknown => JSON.parse(textOf(files, name));
