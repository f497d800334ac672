import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from './programs.ts';
import { ROOT } from './report.ts';

const ask = (script: string, ...args: string[]) =>
  run(process.execPath, [path.join(ROOT, `scripts/${script}.ts`), ...args], { timeoutMs: 60_000 });

// Each is a process that loads its code: running all at once takes half as long.
test.concurrent.each(['bench', 'doctor', 'hammer', 'verify'])(
  'npm run %s lists its options for --help, and after an unknown option',
  async (script) => {
    const [help, unknown] = await Promise.all([ask(script, '--help'), ask(script, '--no-such-option')]);
    expect(help.code).toBe(0);
    expect(help.output).toMatch(new RegExp(`^npm run ${script} -- `));
    expect(help.output.split('\n').filter((line) => /^ {2}--\w+( <value>)? +\w/.test(line)).length).toBeGreaterThan(2);
    expect(unknown.code).toBe(1);
    expect(unknown.output).toMatch(/^✗ .*--no-such-option/);
    expect(unknown.output).toMatch(/^ {2}--help /m);
    expect(unknown.output).not.toMatch(/^ +at /m);
  },
);
