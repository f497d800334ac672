/** `npm run doctor`: checks everything that an installation needs. Changes nothing. Exit code 1 when something fails. */
import { readFile } from 'node:fs/promises';
import { examine } from '#ops/doctor/doctor.ts';
import { drawPage } from '#ops/doctor/page.ts';
import { readOptions } from '#ops/process/options.ts';
import { loadDotEnv, printFailure, ROOT } from '#ops/process/report.ts';

const { values } = readOptions('npm run doctor -- [options]', {
  json: { type: 'boolean', says: 'prints the checks as JSON' },
  processes: { type: 'string', says: 'how many server processes are meant to run; 1 when left out' },
  connect: {
    type: 'string',
    says: 'asks the proxy at this address, such as 127.0.0.1:443, instead of where the name leads',
  },
  ca: { type: 'string', says: 'a file with the certificate to trust for that' },
});

async function readDoor(): Promise<{ host?: string; port?: number; ca?: string }> {
  const ca = values.ca === undefined ? {} : { ca: await readFile(values.ca, 'utf8') };
  if (values.connect === undefined) return ca;
  const { hostname, port } = new URL(`tcp://${values.connect}`);
  return { host: hostname, ...(port === '' ? {} : { port: Number(port) }), ...ca };
}

try {
  loadDotEnv();
  const processes = Math.max(1, Number(values.processes ?? 1) || 1);
  const results = await examine({ env: process.env, root: ROOT, processes, door: await readDoor() });
  console.log(values.json === true ? JSON.stringify(results, null, 2) : drawPage(results));
  process.exitCode = results.some(({ state }) => state === 'fail') ? 1 : 0;
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
