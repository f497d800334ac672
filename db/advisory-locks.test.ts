import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ADVISORY_LOCKS } from './advisory-locks.ts';

test('no two advisory locks share a number', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('every advisory lock takes its number from the one list, or hashes a name', async () => {
  const others: string[] = [];
  let uses = 0;
  for await (const file of glob('{server,db,scripts,bench,sandbox,chain,shared}/**/*.{ts,sql}')) {
    if (file.endsWith('.test.ts')) continue;
    const text = await readFile(file, 'utf8');
    for (const [use] of text.matchAll(/pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?\([^`']*[`'][^;\n]*/g)) {
      uses += 1;
      if (!/ADVISORY_LOCKS\.|hashtextextended\(/.test(use)) others.push(`${file}: ${use}`);
    }
  }
  expect(others).toEqual([]);
  expect(uses).toBeGreaterThanOrEqual(Object.keys(ADVISORY_LOCKS).length);
});
