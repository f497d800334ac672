import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { signCheckpoint } from '../log/checkpoint.ts';
import { hashLeaf } from '../log/hashes.ts';
import { createSigner, formatVerifier } from '../log/note.ts';
import { type Memory, readMemory, readSeen, knownLogs, type Seen, writeSeen } from './memory.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-memory-test-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;
const newFile = (): string => path.join(folder, `${(files += 1)}.json`);

/** The memory of a log at a size; the number makes the key. */
function seenAt(size: number, { log = 1, leaf = size } = {}): Seen {
  const signer = createSigner(`log-${log}.test/log`, new Uint8Array(32).fill(log));
  const root = hashLeaf(Uint8Array.of(leaf));
  return {
    key: formatVerifier(signer),
    note: signCheckpoint({ origin: signer.name, size, root }, signer),
    checkedAt: '2026-11-21T12:00:00.000Z',
  };
}
const [SITE, OTHER] = ['https://site.test', 'https://www.site.test'];

describe('the memory of a verifier', () => {
  test('keeps one memory of a log at all of its addresses [R62]', async () => {
    const file = newFile();
    await writeSeen(file, SITE, seenAt(5));
    const { seen, replaced } = knownLogs(await readMemory(file), OTHER, seenAt(5).key);
    expect([seen, replaced]).toEqual([seenAt(5), null]);
    await writeSeen(file, OTHER, seenAt(7));
    expect(await readSeen(file, SITE)).toEqual(seenAt(7));
  });

  test('finds another key at an address where a log was seen [R62]', async () => {
    const file = newFile();
    await writeSeen(file, SITE, seenAt(5));
    const found = knownLogs(await readMemory(file), SITE, seenAt(5, { log: 2 }).key);
    expect(found).toEqual({ seen: null, replaced: seenAt(5) });
  });

  test('two checks at once lose nothing [R62]', async () => {
    const file = newFile();
    const logs = Array.from({ length: 12 }, (_, log) => log + 1);
    await Promise.all(logs.map((log) => writeSeen(file, `https://${log}.test`, seenAt(3, { log }))));
    expect(Object.keys((await readMemory(file)).sites)).toHaveLength(12);
    expect((await readdir(folder)).filter((name) => !name.endsWith('.json'))).toEqual([]);
  });

  test('a check that ends later does not put an older checkpoint in place of a newer one [R62]', async () => {
    const file = newFile();
    await writeSeen(file, SITE, seenAt(9));
    await writeSeen(file, SITE, seenAt(5));
    expect(await readSeen(file, SITE)).toEqual(seenAt(9));
    await expect(writeSeen(file, SITE, seenAt(9, { leaf: 1 }))).rejects.toThrow(
      'another check saw another root of the same 9 entries',
    );
  });

  test('a lock that a killed check has left is taken over [R62]', async () => {
    const file = newFile();
    await writeFile(`${file}.lock`, '');
    await utimes(`${file}.lock`, 0, 0);
    await writeSeen(file, SITE, seenAt(5));
    expect(await readSeen(file, SITE)).toEqual(seenAt(5));
  });

  test('reports a file of a newer verifier as such, and leaves it unchanged [R62]', async () => {
    const file = newFile();
    const newer = JSON.stringify({ version: 2, logs: [] });
    await writeFile(file, newer);
    for (const work of [readMemory(file), writeSeen(file, SITE, seenAt(5))]) {
      await expect(work).rejects.toThrow(
        `${file} is of a newer verifier: use that one, or name another file with --state`,
      );
    }
    expect(await readFile(file, 'utf8')).toBe(newer);
  });

  test.each([
    '{',
    'null',
    '[]',
    '{"version":0}',
    '{"version":1,"sites":{}}',
    '{"version":1,"logs":{"k":1},"sites":{}}',
  ])('a file with %s is corrupt [R62]', async (text) => {
    const file = newFile();
    await writeFile(file, text);
    await expect(readMemory(file)).rejects.toThrow(`${file} is corrupt: move it away to start over`);
  });

  test('an address whose log is not in the file is checked as for the first time [R62]', () => {
    const memory: Memory = { version: 1, logs: {}, sites: { [SITE]: 'gone' } };
    expect(knownLogs(memory, SITE, 'key')).toEqual({ seen: null, replaced: null });
  });
});
