import { parseEnv } from 'node:util';
import { readConfig } from '#server/kit/config.ts';

interface FirstSettings {
  host: string;
  wallet: string;
  network: string;
  databaseUrl: string;
  consoleDatabaseUrl: string;
  passwordHash: string;
  logKey: string;
  accountKey: string;
  pushKey: string;
  /** A name and an address, or empty. */
  license: string;
}

const HOST = /^(?=.{4,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/;

/** Sets lines of the example. Quotes preserve the dollar signs of hashes and the # of addresses. */
export function fillInSettings(example: string, values: Record<string, string>): string {
  const missing = new Set(Object.keys(values));
  const lines = example.split('\n').map((line) => {
    const name = /^([A-Z_]+)=/.exec(line)?.[1] ?? '';
    const value = values[name];
    if (value === undefined) return line;
    missing.delete(name);
    return /[$#]/.test(value) ? `${name}='${value}'` : `${name}=${value}`;
  });
  if (missing.size > 0) throw new Error(`.env.example has no line for ${[...missing].join(', ')}`);
  return lines.join('\n');
}

/** Settings of a site behind one proxy on the same machine. @throws ConfigError */
export function firstSettings(example: string, settings: FirstSettings): string {
  const { host, wallet, network, databaseUrl, consoleDatabaseUrl, passwordHash, logKey, accountKey, pushKey, license } =
    settings;
  if (!HOST.test(host)) throw new Error(`"${host}" is not the name of a site, such as snapswipe.example`);
  if (/[\r\n]/.test(license)) throw new Error('DATA_LICENSE: must be one line');
  const text = fillInSettings(example, {
    PUBLIC_ORIGIN: `https://${host}`,
    TRUST_PROXY: '1',
    DATABASE_URL: databaseUrl,
    CONSOLE_DATABASE_URL: consoleDatabaseUrl,
    SUI_NETWORK: network,
    ADMIN_WALLET: wallet,
    ADMIN_PASSWORD_HASH: passwordHash,
    LOG_PRIVATE_KEY: logKey,
    ACCOUNT_KEY: accountKey,
    PUSH_PRIVATE_KEY: pushKey,
    DATA_LICENSE: license,
  });
  readConfig({ ...parseEnv(text), NODE_ENV: 'production' });
  return text;
}
