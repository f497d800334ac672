import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../process/report.ts';

const WEB = path.join(ROOT, 'web');

/** Chunks that are fetched before they are needed; their users load them through `loadWallet` or a similar function. */
const GUESSES = new Set([
  'app/main.tsx: ./stand-by.ts',
  'app/stand-by.ts: ../offline/start.ts',
  'app/main.tsx: ./after-start.ts',
  // Not needed(), which may reload the page: a failure puts the votes back into the address.
  'app/after-start.ts: ../offline/carried-votes.ts',
  'app/after-start.ts: ./pages.ts',
  // Not needed(), which may reload the page: the next page agrees with the browser.
  'components/notices/notice-bell.tsx: ../push/use-push.ts',
  'wallet-gate.ts: ./wallet/later.ts',
  'wallet/later.ts: ./wallet-module.ts',
  'wallet/wallet-module.ts: ./sandbox-wallet/register.ts',
]);

/** The dynamic imports of a module with the text before each. */
function importsOf(source: string): Array<{ before: string; target: string }> {
  return [...source.matchAll(/(?<!typeof )\bimport\(\s*'([^']+)'/g)].map((match) => ({
    before: source.slice(Math.max(0, match.index - 120), match.index),
    target: match[1] ?? '',
  }));
}

test('every dynamic import handles its failure: by needed(), loadable() or a screen', async () => {
  const files = (await readdir(WEB, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !file.includes('.test.') && file !== 'lib/loadable.tsx',
  );
  const unguarded: string[] = [];
  let found = 0;
  for (const file of files) {
    for (const { before, target } of importsOf(await readFile(path.join(WEB, file), 'utf8'))) {
      found += 1;
      const name = `${file.split(path.sep).join('/')}: ${target}`;
      const isGuarded =
        /needed\(\s*$/.test(before) ||
        /loadable\(\s*async \(\) => \(await $/.test(before) ||
        file === 'app/routes.tsx' ||
        file === 'app/pages.ts';
      if (!isGuarded && !GUESSES.has(name)) unguarded.push(name);
    }
  }
  expect(unguarded).toEqual([]);
  expect(found).toBeGreaterThan(10);
});
