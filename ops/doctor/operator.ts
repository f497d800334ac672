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

export async function checkOperator({ operator, privacyText, termsText }: Config): Promise<string> {
  if (operator === null && (privacyText === null || termsText === null))
    throw warning(
      '/privacy and /terms do not say who runs the site: OPERATOR is empty',
      'Set OPERATOR, or both PRIVACY_TEXT and TERMS_TEXT',
    );
  return operator?.[0] ?? 'texts of your own';
}

export async function checkAccountKey({ accountKey }: Config): Promise<string> {
  if (accountKey === null)
    throw warning(
      'ACCOUNT_KEY is empty: the database keeps the key of deleted wallets’ hashes, and so do its backups',
      'Set ACCOUNT_KEY (`openssl rand -base64 32`) before the first deletion, and keep it as long as the database',
    );
  return 'apart from the database';
}
