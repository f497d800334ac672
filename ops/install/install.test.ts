import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ProgramResult, run } from '../process/programs.ts';
import { ROOT } from '../process/report.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-packages-'));
  await writeJson('package.json', PACKAGE);
  await writeJson('package-lock.json', { ...PACKAGE, lockfileVersion: 3, requires: true, packages: LOCKED });
  for (const name of ['tool', 'part']) {
    await mkdir(path.join(folder, name));
    await writeJson(`${name}/package.json`, { name, version: '1.0.0' });
  }
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A project whose packages are folders: npm needs no registry for them. */
const PACKAGE = {
  name: 'project',
  version: '1.0.0',
  devDependencies: { tool: 'file:tool' },
  optionalDependencies: { part: 'file:part' },
};
const LOCKED = {
  '': PACKAGE,
  tool: { version: '1.0.0', dev: true },
  part: { version: '1.0.0', optional: true },
  'node_modules/tool': { resolved: 'tool', link: true },
  'node_modules/part': { resolved: 'part', link: true },
};

const writeJson = (file: string, value: object): Promise<void> =>
  writeFile(path.join(folder, file), JSON.stringify(value));

/** Runs `ensureInstalled` on the folder, in a separate process. */
function install(env: NodeJS.ProcessEnv, options: { silenceMs?: number } = {}): Promise<ProgramResult> {
  const module = pathToFileURL(path.join(ROOT, 'ops/install/install.mjs')).href;
  const code = `import(${JSON.stringify(module)})
    .then(({ ensureInstalled }) => ensureInstalled(${JSON.stringify(folder)}, ${JSON.stringify(options)}))
    .catch((error) => { console.log(error.message); process.exitCode = 1; });`;
  return run(process.execPath, ['--eval', code], { env: { npm_execpath: '', ...env }, timeoutMs: 60_000 });
}

/** A program in npm's place. */
async function fakeNpm(script: string): Promise<NodeJS.ProcessEnv> {
  const file = path.join(folder, 'npm-cli.js');
  await writeFile(file, script);
  return { npm_execpath: file };
}

const lastLine = ({ output }: ProgramResult): string => output.trim().split('\n').at(-1) ?? '';

test.each([
  [{ NODE_ENV: 'production', npm_config_omit: 'dev', npm_config_only: 'prod' }],
  [{ npm_config_omit: 'optional' }],
])('installs all packages where the environment says %j', async (env) => {
  const { code, output } = await install({ npm_config_cache: path.join(folder, 'cache'), ...env });
  expect(output).toContain('✓ Packages installed');
  expect(code).toBe(0);
  expect(await readdir(path.join(folder, 'node_modules'))).toEqual(expect.arrayContaining(['tool', 'part']));
});

test('stops npm when no file arrives for too long, and names the cause to check in one line', async () => {
  const env = await fakeNpm(`console.error('npm http fetch GET 200'); for (;;);`);
  const result = await install(env, { silenceMs: 1_500 });
  expect(lastLine(result)).toMatch(
    /^npm has done nothing for 2 s, and was ended: see that its registry can be reached/,
  );
  expect(result.code).toBe(1);
});

test('does not stop npm while files keep arriving', async () => {
  const env = await fakeNpm(`let left = 8;
    setInterval(() => { console.error('npm http fetch GET 200'); if (--left === 0) process.exit(3); }, 400);`);
  const result = await install(env, { silenceMs: 2_000 });
  expect(lastLine(result)).toMatch(/^npm could not install the packages: /);
});

test('reports why a cache cannot be written', async () => {
  const env = await fakeNpm(`console.error(\`npm http fetch GET 200 https://registry.example/x 9ms
npm error code EACCES
npm error syscall mkdir
npm error path /home/x/.npm/_cacache
npm error errno EACCES
npm error
npm error Your cache folder contains root-owned files\`); process.exit(243);`);
  expect(lastLine(await install(env))).toBe(
    'npm could not install the packages: EACCES: mkdir /home/x/.npm/_cacache; npm_config_cache can name another folder for its cache',
  );
});

test('names the registry that does not respond', async () => {
  const env = await fakeNpm(`console.error(\`npm http fetch GET http://127.0.0.1:1/x attempt 1 failed with ECONNREFUSED
npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:1/x failed, reason: connect ECONNREFUSED 127.0.0.1:1\`); process.exit(1);`);
  expect(lastLine(await install(env))).toBe(
    'npm could not install the packages: FetchError: request to http://127.0.0.1:1/x failed, reason: connect ECONNREFUSED 127.0.0.1:1',
  );
});
