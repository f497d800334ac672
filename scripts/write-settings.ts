/**
 * Writes .env for a new site, for ops/deploy/install.sh: asks for the license of the figures and the admin's password (or reads that from a
 * pipe), makes all keys, and writes nothing that the server would not start with.
 */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hashPassword } from '#server/panel/admin/password.ts';
import { askLicense } from '#ops/deploy/license.ts';
import { firstSettings } from '#ops/deploy/settings.ts';
import { readOptions } from '#ops/process/options.ts';
import { readPassword } from '#ops/process/password.ts';
import { printFailure, ROOT } from '#ops/process/report.ts';

const { values } = readOptions('node scripts/run.mjs write-settings [options]', {
  host: { type: 'string', says: 'name of the site, such as snapswipe.example' },
  wallet: { type: 'string', says: 'address of the wallet that runs the site and receives the listing fees' },
  network: { type: 'string', says: 'mainnet, testnet, devnet or localnet' },
});

try {
  const { host = '', wallet = '', network = 'devnet' } = values;
  const example = await readFile(path.join(ROOT, '.env.example'), 'utf8');
  const databaseUrl = process.env['DATABASE_URL'] ?? '';
  const consoleDatabaseUrl = process.env['CONSOLE_DATABASE_URL'] ?? '';
  const newKey = () => randomBytes(32).toString('base64');
  const keys = { logKey: newKey(), accountKey: newKey(), pushKey: newKey() };
  const known = { host, wallet, network, databaseUrl, consoleDatabaseUrl, ...keys };
  // Checks what is known before each question.
  const unknown = { license: '', passwordHash: await hashPassword('not yet known') };
  firstSettings(example, { ...known, ...unknown });
  const settings = { ...known, license: await askLicense() };
  firstSettings(example, { ...unknown, ...settings });
  const text = firstSettings(example, { ...settings, passwordHash: await hashPassword(await readPassword()) });
  await writeFile(path.join(ROOT, '.env'), text, { mode: 0o600, flag: 'wx' });
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
