import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { expect } from 'vitest';
import type { TestUser } from './client.ts';

export const requestArchive = (user: TestUser, signal?: AbortSignal): Promise<Response> =>
  fetch(`${user.url}/api/users/${user.id}/archive`, { headers: { cookie: user.cookie }, signal: signal ?? null });

export async function downloadArchive(user: TestUser): Promise<Map<string, Buffer>> {
  const response = await requestArchive(user);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = new Map<string, Buffer>();
  for await (const file of new ZipReader(new Uint8ArrayReader(await response.bytes())).getEntriesGenerator())
    if (!file.directory) files.set(file.filename, Buffer.from(await file.getData(new Uint8ArrayWriter())));
  return files;
}

export const textOf = (files: ReadonlyMap<string, Buffer>, name: string): string => files.get(name)?.toString() ?? '';

export const jsonOf = (files: ReadonlyMap<string, Buffer>, name: string): unknown => JSON.parse(textOf(files, name));
