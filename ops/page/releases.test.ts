import { mkdir, mkdtemp, readdir, readFile, readlink, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finishRelease, startRelease } from './releases.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-releases-'));
});
afterEach(() => rm(folder, { recursive: true }));

const minute = (number: number) => new Date(Date.UTC(2026, 10, 22, 10, number));
const current = () => readlink(path.join(folder, 'current'));
const others = async () => (await readdir(folder)).filter((name) => name !== 'current').sort();

/** A build whose page is this text. */
async function build(page: string, number: number, sources = page): Promise<void> {
  const built = await startRelease(folder);
  await mkdir(path.join(built, 'assets'));
  await writeFile(path.join(built, 'index.html'), page);
  await writeFile(path.join(built, '.built'), sources);
  await finishRelease(built, minute(number));
}

test('each build is a separate release, and the newest is the current one', async () => {
  await build('one', 1);
  const first = await current();
  expect(first).toMatch(/^20261122-100100-[0-9a-f]{8}$/);
  await build('two', 2);
  expect(await current()).toMatch(/^20261122-100200-/);
  expect(await others()).toEqual([first, await current()]);
  expect(await readFile(path.join(folder, first, 'index.html'), 'utf8')).toBe('one');
});

test('a build without changes adds no release, and keeps the hash of its sources', async () => {
  await build('one', 1, 'sources');
  const first = await current();
  await build('one', 2, 'other sources');
  expect([await current(), await others()]).toEqual([first, [first]]);
  expect(await readFile(path.join(folder, 'current', '.built'), 'utf8')).toBe('other sources');
});

test('keeps ten releases', async () => {
  for (let number = 1; number <= 12; number += 1) await build(`page ${number}`, number);
  const left = await others();
  expect(left.map((name) => name.slice(9, 13))).toEqual(Array.from({ length: 10 }, (_, index) => String(1003 + index)));
  expect(left.at(-1)).toBe(await current());
});

test('deletes the remains of a killed build after an hour, and keeps those of a running one', async () => {
  const [killed, other] = [await startRelease(folder), await startRelease(folder)];
  await utimes(killed, minute(-61), minute(-61));
  await utimes(other, minute(-1), minute(-1));
  await build('one', 1);
  expect(await others()).toEqual([path.basename(other), await current()]);
});
