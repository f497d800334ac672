import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '#ops/process/programs.ts';
import { ROOT } from '#ops/process/report.ts';

const BUILD = `import { createBuilder } from 'vite';
const builder = await createBuilder({ configFile: 'vite.config.ts', logLevel: 'warn' });
await builder.build(builder.environments.verifier);`;

/** Builds the verifier alone into a folder that a server can serve. */
export async function buildVerifier(folder: string): Promise<void> {
  await copyFile(path.join(ROOT, 'web/index.html'), path.join(folder, 'index.html'));
  const env = { NODE_ENV: 'production', PAGE_FOLDER: folder };
  const { code, output } = await run(process.execPath, ['--input-type=module', '-e', BUILD], { env });
  if (code !== 0) throw new Error(`The verifier could not be built:\n${output}`);
}

/** Runs the verifier that a site serves, as a stranger does: the text of its lines. @throws where it finds anything */
export async function runServedVerifier(origin: string, folder: string): Promise<string> {
  const response = await fetch(`${origin}/trust/verify.mjs`);
  if (response.status !== 200) throw new Error(`/trust/verify.mjs responded with ${response.status}`);
  const file = path.join(folder, 'verify.mjs');
  await writeFile(file, await response.bytes());
  const { code, output } = await run(process.execPath, [file, origin, '--state', path.join(folder, 'seen.json')]);
  if (code !== 0) throw new Error(`The served verifier reports:\n${output}`);
  return output;
}
