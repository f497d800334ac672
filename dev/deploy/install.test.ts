import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { readWalk } from '../drill/walk.ts';
import { run } from '../process/programs.ts';
import { ROOT } from '../process/report.ts';
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
};

test('the first settings start a server on mainnet behind one proxy', () => {
  expect(readConfig({ ...parseEnv(firstSettings(example, SETTINGS)) })).toMatchObject({
    env: 'production',
    host: '127.0.0.1',
    publicOrigin: 'https://snapswipe.example',
    trustProxy: 1,
    network: 'mainnet',
    adminWallet: SETTINGS.wallet,
    adminPasswordHash: SETTINGS.passwordHash,
    databaseUrl: SETTINGS.databaseUrl,
    consoleDatabaseUrl: SETTINGS.consoleDatabaseUrl,
  });
});

test.each([
  [{ host: 'https://snapswipe.example' }, 'is no name of a site'],
  [{ host: 'localhost' }, 'is no name of a site'],
  [{ host: 'snapswipe.example\nADMIN_PASSWORD=x' }, 'is no name of a site'],
  [{ wallet: '0x0abc' }, 'ADMIN_WALLET: is a placeholder'],
  [{ wallet: '' }, 'ADMIN_WALLET is required'],
  [{ network: 'maintnet' }, 'SUI_NETWORK'],
  [{ databaseUrl: '' }, 'DATABASE_URL is required'],
])('settings with %j are not written', (wrong, reason) => {
  expect(() => firstSettings(example, { ...SETTINGS, ...wrong })).toThrow(reason);
});

test('a setting that the example does not have is an error, not a line that is left out', () => {
  expect(() => fillInSettings(example, { NO_SUCH_SETTING: '1' })).toThrow('no line for NO_SUCH_SETTING');
});

test('from a fresh machine to a served site it takes few commands, and they name what exists', async () => {
  const commands = await readWalk();
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.length).toBeLessThanOrEqual(MOST_COMMANDS);
  // Two commands in a line would be counted as one.
  for (const command of commands) expect(command).not.toMatch(/&&|;|\|/);
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const named = (pattern: RegExp) => commands.flatMap((command) => pattern.exec(command)?.[1] ?? []);
  expect(named(/^\/opt\/snapswipe\/(\S+)/)).toEqual(['deploy/install.sh']);
  const tasks = named(/^npm run (\S+)/);
  expect(tasks).toEqual(['doctor']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(tasks));
});

test('deploy/install.sh is a script that the shell can read, and says how it is called', async () => {
  const file = path.join(ROOT, 'deploy/install.sh');
  expect(await run('sh', ['-n', file])).toEqual({ code: 0, output: '' });
  const { code, output } = await run(file, []);
  expect(output).toMatch(/^✗ Usage: .*install\.sh <host> <admin wallet>/);
  expect(code).toBe(1);
});
