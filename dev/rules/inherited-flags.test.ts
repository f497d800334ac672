import { expect, test } from 'vitest';
import { read, sources } from './sources.ts';

/** A call whose options are there to be read, up to its end. */
const FORK = /(?<![`\w])fork\((?:[^()]|\([^()]*\))*\)/g;

/** Calls that leave it to Node.js with which flags the process starts: with ours. */
const withoutFlags = (source: string): string[] =>
  [...source.matchAll(FORK)].map(([call]) => call).filter((call) => !/\bexecArgv\b|\boptions\)/.test(call));

test('a process that is forked names its flags: those of a test runner are not what production has', async () => {
  expect(withoutFlags("fork(path.resolve('main.ts'), { env: own() })")).toHaveLength(1);
  expect(withoutFlags("fork(path.resolve('main.ts'), { env: own(), execArgv: [] })")).toEqual([]);
  const found = (await sources())
    .filter((file) => file.endsWith('.ts') && file !== 'dev/rules/inherited-flags.test.ts')
    .flatMap((file) => withoutFlags(read(file)).map((call) => `${file}: ${call.slice(0, 80)}`));
  expect(found).toEqual([]);
});
