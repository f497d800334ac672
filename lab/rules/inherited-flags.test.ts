import { expect, test } from 'vitest';
import { read, sources } from './sources.ts';

const FORK = /(?<![`\w])fork\((?:[^()]|\([^()]*\))*\)/g;

const withoutFlags = (source: string): string[] =>
  [...source.matchAll(FORK)].map(([call]) => call).filter((call) => !/\bexecArgv\b|\boptions\)/.test(call));

test("a forked process names its flags, because a test runner's are not those of production", async () => {
  expect(withoutFlags("fork(path.resolve('main.ts'), { env: own() })")).toHaveLength(1);
  expect(withoutFlags("fork(path.resolve('main.ts'), { env: own(), execArgv: [] })")).toEqual([]);
  const found = (await sources())
    .filter((file) => file.endsWith('.ts') && file !== 'lab/rules/inherited-flags.test.ts')
    .flatMap((file) => withoutFlags(read(file)).map((call) => `${file}: ${call.slice(0, 80)}`));
  expect(found).toEqual([]);
});
