import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import type { Config } from '#server/kit/config.ts';
import { findUnknownSettings } from '#server/kit/unknown-settings.ts';
import { warning } from './check.ts';

export async function checkNames(file: string, env: NodeJS.ProcessEnv): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const unknown = findUnknownSettings(parseEnv(text), env);
  if (unknown.length > 0) throw warning(unknown.join('; '), `Correct or delete that name in ${file}`);
  return 'all of them are settings';
}

export async function checkOperator(config: Config): Promise<string> {
  if (config.privacyText !== null && config.termsText !== null) return 'texts of your own';
  const missing = (
    [
      ['OPERATOR_NAME', config.operatorName],
      ['OPERATOR_ADDRESS', config.operatorAddress],
      ['OPERATOR_CONTACT', config.operatorContact],
    ] as const
  ).flatMap(([name, value]) => (value === null ? [name] : []));
  if (missing.length > 0)
    throw warning(
      `/privacy and /terms do not say who runs the site: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} empty`,
      `Set ${missing.join(', ')}, or texts of your own (PRIVACY_TEXT, TERMS_TEXT)`,
    );
  return `${config.operatorName}`;
}

export async function checkAccountKey({ accountKey }: Config): Promise<string> {
  if (accountKey === null)
    throw warning(
      'ACCOUNT_KEY is empty: the database keeps the key of deleted wallets’ hashes, and so do its backups',
      'Set ACCOUNT_KEY (`openssl rand -base64 32`) before the first deletion, and keep it as long as the database',
    );
  return 'apart from the database';
}
