import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const CLOCK_AS_NAME = /\$\{Date\.now\(\)|\[[^\]]*\bDate\.now\(\)\s*\]/g;

test('journeys take what must be unique from lab/e2e/unique.ts: two workers can read the same millisecond', async () => {
  expect(`\`Owned \${Date.now()}\``).toMatch(CLOCK_AS_NAME);
  const journeys = path.resolve(import.meta.dirname, '../e2e');
  const found: string[] = [];
  for await (const file of glob('**/*.ts', { cwd: journeys })) {
    const names = readFileSync(path.join(journeys, file), 'utf8').matchAll(CLOCK_AS_NAME);
    for (const { 0: name } of names) found.push(`${file}: ${name}`);
  }
  expect(found).toEqual([]);
});
