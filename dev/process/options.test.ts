import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './report.ts';

interface Answer {
  code: number;
  output: string;
}

/** Not by `run` of programs.ts: it lets go of the channel to the parent, on which a test worker depends. */
const ask = (script: string, ...args: string[]): Promise<Answer> =>
  new Promise((resolve) => {
    const file = path.join(ROOT, `scripts/${script}.ts`);
    execFile(process.execPath, [file, ...args], { cwd: ROOT, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : -1;
      resolve({ code: error ? code : 0, output: stdout + stderr });
    });
  });

// Each is a process that loads its code: all at once take half as long.
test.concurrent.each(['bench', 'doctor', 'hammer', 'mutants', 'verify'])(
  'npm run %s names its options for --help, and beside one that it does not know',
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
