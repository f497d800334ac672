import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '#server/kit/config.ts';
import { readWalk } from '#lab/drill/walk.ts';
import { run } from '../process/programs.ts';
import { ROOT } from '../process/report.ts';
import { licenseOf } from './license.ts';
import { fillInSettings, firstSettings } from './settings.ts';

const MOST_COMMANDS = 8;
const example = await readFile(path.join(ROOT, '.env.example'), 'utf8');
const SETTINGS = {
  host: 'snapswipe.example',
  wallet: `0x${'7c'.repeat(32)}`,
  network: 'mainnet',
  databaseUrl: 'postgres://snapswipe:secret@127.0.0.1:5432/snapswipe',
  consoleDatabaseUrl: 'postgres://snapswipe_console:other@127.0.0.1:5432/snapswipe',
  passwordHash: `scrypt$32768$8$3$${'a'.repeat(22)}$${'b'.repeat(43)}`,
  logKey: randomBytes(32).toString('base64'),
  accountKey: randomBytes(32).toString('base64'),
  pushKey: randomBytes(32).toString('base64'),
  license: '',
};

test('the first settings start a server on mainnet behind one proxy, with its public record', () => {
  expect(readConfig({ ...parseEnv(firstSettings(example, SETTINGS)) })).toMatchObject({
    host: '127.0.0.1',
    publicOrigin: 'https://snapswipe.example',
    trustProxy: 1,
    network: 'mainnet',
    adminWallet: SETTINGS.wallet,
    adminPasswordHash: SETTINGS.passwordHash,
    databaseUrl: SETTINGS.databaseUrl,
    consoleDatabaseUrl: SETTINGS.consoleDatabaseUrl,
    logPrivateKey: Buffer.from(SETTINGS.logKey, 'base64'),
    accountKey: Buffer.from(SETTINGS.accountKey, 'base64'),
    pushKey: { privateKey: Buffer.from(SETTINGS.pushKey, 'base64').toString('base64url') },
  });
});

test.each([
  [{ host: 'https://snapswipe.example' }, 'is not the name of a site'],
  [{ host: 'localhost' }, 'is not the name of a site'],
  [{ host: 'snapswipe.example\nADMIN_PASSWORD=x' }, 'is not the name of a site'],
  [{ wallet: '0x0abc' }, 'ADMIN_WALLET: is a placeholder'],
  [{ wallet: '' }, 'ADMIN_WALLET is required'],
  [{ network: 'maintnet' }, 'SUI_NETWORK'],
  [{ databaseUrl: '' }, 'DATABASE_URL is required'],
  [{ license: 'CC BY 4.0' }, 'DATA_LICENSE: must be a name and an address'],
  [{ license: 'CC0 https://example.org\nADMIN_PASSWORD=x' }, 'must be one line'],
])('rejects settings with %j', (wrong, reason) => {
  expect(() => firstSettings(example, { ...SETTINGS, ...wrong })).toThrow(reason);
});

test.each([
  ['', { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' }],
  [' ', { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' }],
  ['None', null],
  [
    'Our own, $1 https://snaps.example/license#data',
    { name: 'Our own, $1', url: 'https://snaps.example/license#data' },
  ],
])('the installer takes %j as the license of the published figures [R75]', (typed, dataLicense) => {
  const text = firstSettings(example, { ...SETTINGS, license: licenseOf(typed) });
  expect(readConfig({ ...parseEnv(text) })).toMatchObject({ dataLicense });
});

test('rejects a setting that the example does not have, instead of leaving the line out', () => {
  expect(() => fillInSettings(example, { NO_SUCH_SETTING: '1' })).toThrow('no line for NO_SUCH_SETTING');
});

test('a fresh machine becomes a served site by few commands, and they name existing files', async () => {
  const commands = await readWalk();
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.length).toBeLessThanOrEqual(MOST_COMMANDS);
  // Two commands in a line would be counted as one.
  for (const command of commands) expect(command).not.toMatch(/&&|;|\|/);
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const named = (pattern: RegExp) => commands.flatMap((command) => pattern.exec(command)?.[1] ?? []);
  expect(named(/^\/opt\/snapswipe\/(\S+)/)).toEqual(['ops/deploy/install.sh']);
  const tasks = named(/^npm run (\S+)/);
  expect(tasks).toEqual(['doctor']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(tasks));
});

test('ops/deploy/install.sh is a valid shell script, and explains its usage', async () => {
  const file = path.join(ROOT, 'ops/deploy/install.sh');
  expect(await run('sh', ['-n', file])).toEqual({ code: 0, output: '' });
  const { code, output } = await run(file, []);
  expect(output).toMatch(/^✗ Usage: .*install\.sh <host> <admin wallet>/);
  expect(code).toBe(1);
});

describe('ops/deploy/set-up-caddy.sh', () => {
  const CADDY = '/usr/bin/caddy';
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-caddy-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const read = (name = 'Caddyfile') => readFile(path.join(folder, name), 'utf8');
  const setUp = (env: NodeJS.ProcessEnv = {}) =>
    run(path.join(ROOT, 'ops/deploy/set-up-caddy.sh'), ['votes.example', folder], { env });

  test('set-up-caddy.sh writes a missing Caddyfile, and keeps it in a second run', async () => {
    expect(await setUp()).toEqual({ code: 0, output: '' });
    expect(await read()).toMatch(/^votes\.example \{$/m);
    expect(await read()).toContain(`root * ${path.join(ROOT, 'server/site')}`);
    const edited = `${await read()}# edited\n`;
    await writeFile(path.join(folder, 'Caddyfile'), edited);
    expect(await setUp()).toEqual({ code: 0, output: '' });
    expect(await read()).toBe(edited);
    expect(await readdir(folder)).toEqual(['Caddyfile']);
  });

  test('set-up-caddy.sh never changes the Caddyfile of other sites, and names the line to add to it', async () => {
    const others = 'other.example {\n\trespond 200\n}\n';
    await writeFile(path.join(folder, 'Caddyfile'), others);
    const first = await setUp();
    expect(first).toMatchObject({
      code: 1,
      output: expect.stringContaining(`  import ${folder}/votes.example.caddyfile\n`),
    });
    expect([await setUp(), await read()]).toEqual([first, others]);
    const imported = `${others}import ${folder}/votes.example.caddyfile\n`;
    await writeFile(path.join(folder, 'Caddyfile'), imported);
    expect(await setUp()).toEqual({ code: 0, output: '' });
    expect(await read('votes.example.caddyfile')).not.toMatch(/^\{$/m);
    // Skipped where Debian's package caddy is not installed; `npm test` installs it where it can.
    if (!existsSync(CADDY)) return;
    const validation = await run(CADDY, ['validate', '--adapter', 'caddyfile', '--config', `${folder}/Caddyfile`]);
    expect(validation).toMatchObject({ code: 0, output: expect.stringContaining('Valid configuration') });
  });

  test('set-up-caddy.sh replaces the Caddyfile of the package, as long as it was not edited', async () => {
    const packaged = ':80 {\n\troot * /usr/share/caddy\n\tfile_server\n}\n';
    const caddyfile = path.join(folder, 'Caddyfile');
    const md5 = createHash('md5').update(packaged).digest('hex');
    const dpkg = path.join(folder, 'dpkg-query');
    await writeFile(dpkg, `#!/bin/sh\necho ' ${caddyfile} ${md5}'\n`);
    await chmod(dpkg, 0o755);
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    await writeFile(caddyfile, `# mine\n${packaged}`);
    expect(await setUp(env)).toMatchObject({ code: 1 });
    await writeFile(caddyfile, packaged);
    expect(await setUp(env)).toEqual({ code: 0, output: '' });
    expect(await read()).toMatch(/^votes\.example \{$/m);
  });
});
