/** `npm run doctor`: checks everything that an installation needs. Changes nothing. Exit code 1 when something fails. */
import { readFile } from 'node:fs/promises';
import { examine } from '#ops/doctor/doctor.ts';
import type { CheckResult } from '#ops/doctor/check.ts';
import { readOptions } from '#ops/process/options.ts';
import { plural } from '#shared/numbers/plural.ts';
import { loadDotEnv, printFailure, ROOT } from '#ops/process/report.ts';

const { values } = readOptions('npm run doctor -- [options]', {
  json: { type: 'boolean', says: 'prints the checks as JSON' },
  connect: {
    type: 'string',
    says: 'asks the proxy at this address, such as 127.0.0.1:443, instead of where the name leads',
  },
  ca: { type: 'string', says: 'a file with the certificate to trust for that' },
});

const MARKS: Record<CheckResult['state'], string> = { ok: '✓', warn: '!', fail: '✗' };
const NAME_CHARS = 15;

function drawPage(results: CheckResult[]): string {
  const lines = results.flatMap(({ name, state, what, remedy }) => {
    const line = `${MARKS[state]} ${name.padEnd(NAME_CHARS)}${what}`;
    return remedy === null ? [line] : [line, `${' '.repeat(NAME_CHARS + 2)}→ ${remedy}`];
  });
  const count = (state: CheckResult['state'], noun: string): string =>
    plural(results.filter((result) => result.state === state).length, noun);
  return [
    ...lines,
    '',
    `${plural(results.length, 'check')}: ${count('fail', 'failure')}, ${count('warn', 'warning')}`,
  ].join('\n');
}

async function readDoor(): Promise<{ host?: string; port?: number; ca?: string }> {
  const ca = values.ca === undefined ? {} : { ca: await readFile(values.ca, 'utf8') };
  if (values.connect === undefined) return ca;
  const { hostname, port } = new URL(`tcp://${values.connect}`);
  return { host: hostname, ...(port === '' ? {} : { port: Number(port) }), ...ca };
}

try {
  loadDotEnv();
  const results = await examine({ env: process.env, root: ROOT, door: await readDoor() });
  console.log(values.json === true ? JSON.stringify(results, null, 2) : drawPage(results));
  process.exitCode = results.some(({ state }) => state === 'fail') ? 1 : 0;
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
