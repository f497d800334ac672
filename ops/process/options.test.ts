import { expect, test } from 'vitest';
import { run } from './programs.ts';

const SCRIPT = `import { readOptions } from './ops/process/options.ts';
  readOptions('npm run it -- [options]', { to: { type: 'string', says: 'where' } }, process.argv.slice(1));`;
const ask = (...args: string[]) =>
  run(process.execPath, ['--input-type=module', '--eval', SCRIPT, '--', ...args], { timeoutMs: 60_000 });

test('a command lists its options for --help, and after an unknown option', async () => {
  const [help, unknown] = await Promise.all([ask('--help'), ask('--no-such-option')]);
  const listed = 'npm run it -- [options]\n\n  --help              prints this\n  --to <value>        where\n';
  expect(help).toEqual({ code: 0, output: listed });
  expect(unknown).toEqual({ code: 1, output: expect.stringMatching(/^✗ .*--no-such-option/) });
  expect(unknown.output.endsWith(`\n\n${listed}`)).toBe(true);
});
