import { expect, test } from 'vitest';
import { run } from './programs.ts';

const shell = (script: string, options: { timeoutMs: number; graceMs?: number }) => run('sh', ['-c', script], options);

test('a program that takes too long is asked to end, and can clean up', async () => {
  const script = `trap 'echo tidied; exit 0' TERM; while :; do sleep 0.05; done`;
  expect(await shell(script, { timeoutMs: 3_000 })).toEqual({ code: 124, output: 'tidied\n' });
});

test('a program that does not end then is killed', async () => {
  const script = `trap 'echo no' TERM; while :; do sleep 0.05; done`;
  expect(await shell(script, { timeoutMs: 3_000, graceMs: 1_000 })).toEqual({ code: 124, output: 'no\n' });
});

test('a program that ends in time keeps its exit code', async () => {
  expect(await shell('echo done; exit 3', { timeoutMs: 60_000 })).toEqual({ code: 3, output: 'done\n' });
});

test('a program of a package runs in this Node, even where PATH does not lead to its folder', async () => {
  const { code, output } = await run('vite', ['--version'], { env: { PATH: '/usr/bin:/bin' } });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(`node-${process.version}`) });
});
