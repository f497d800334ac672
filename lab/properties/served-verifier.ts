import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '#ops/process/programs.ts';

const BUILD = `import { createBuilder } from 'vite';
const builder = await createBuilder({ configFile: 'vite.config.ts', logLevel: 'warn' });
await builder.build(builder.environments.verifier);`;

/** Builds the verifier alone, as sites serve it, and returns its file. */
export async function buildVerifier(folder: string): Promise<string> {
  const env = { NODE_ENV: 'production', PAGE_FOLDER: folder };
  const { code, output } = await run(process.execPath, ['--input-type=module', '-e', BUILD], { env });
  if (code !== 0) throw new Error(`The verifier could not be built:\n${output}`);
  const file = path.join(folder, 'verify.mjs');
  await copyFile(path.join(folder, 'trust/verify.mjs'), file);
  return file;
}

/** Runs the verifier as a stranger does, and returns its output. @throws Error if it finds anything */
export async function runBuiltVerifier(file: string, origin: string): Promise<string> {
  // All sites of a test have one key: one memory would take them for one log that is rewritten.
  const stateFile = path.join(path.dirname(file), `built-${new URL(origin).port}.json`);
  const { code, output } = await run(process.execPath, [file, origin, '--state', stateFile]);
  if (code !== 0) throw new Error(`The built verifier reports:\n${output}`);
  return output;
}
