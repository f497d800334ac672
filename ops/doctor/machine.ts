import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Config } from '#server/kit/config.ts';
import { failure, warning } from './check.ts';
import type { Subject } from './subject.ts';

type Finding = [what: string, remedy: string];

function* findInSettings({ operator, privacyText, termsText, accountKey, logPrivateKey }: Config): Generator<Finding> {
  if (operator === null && (privacyText === null || termsText === null))
    yield [
      'OPERATOR is empty: /privacy and /terms do not say who runs the site',
      'Set OPERATOR, or both PRIVACY_TEXT and TERMS_TEXT',
    ];
  if (accountKey === null)
    yield [
      'ACCOUNT_KEY is empty: the database keeps the key of deleted wallets’ hashes, and so do its backups',
      'Set ACCOUNT_KEY (`openssl rand -base64 32`) before the first deletion, and keep it as long as the database',
    ];
  if (logPrivateKey === null)
    yield [
      'LOG_PRIVATE_KEY is empty: there is no public record',
      'Set LOG_PRIVATE_KEY (`openssl rand -base64 32`), and keep it as long as the database',
    ];
}

export async function askSettings({ config, settingsFile }: Pick<Subject, 'config' | 'settingsFile'>): Promise<string> {
  const file = await stat(settingsFile).catch(() => null);
  const open: Finding = [`every user of this machine may read ${settingsFile}`, `chmod o= ${settingsFile}`];
  const found = [...((file?.mode ?? 0) & 0o007 ? [open] : []), ...findInSettings(config)];
  if (found.length > 0)
    throw warning(found.map(([what]) => what).join('; '), found.map(([, remedy]) => remedy).join('; '));
  return 'valid';
}

interface OtherClock {
  name: string;
  aheadMs: number;
  /** A node may lag for other reasons; only being ahead is evidence. */
  mayLag: boolean;
}

const MOST_AHEAD_MS = 5_000;
const MOST_BEHIND_MS = 60_000;

export function checkClocks(others: OtherClock[]): string {
  const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1000)} s`;
  const remedy = 'Let NTP keep the clock: apt-get install systemd-timesyncd; timedatectl set-ntp true';
  for (const { name, aheadMs, mayLag } of others) {
    if (aheadMs > MOST_AHEAD_MS) throw failure(`this machine is ${seconds(aheadMs)} behind ${name}`, remedy);
    if (!mayLag && aheadMs < -MOST_AHEAD_MS)
      throw failure(`this machine is ${seconds(aheadMs)} ahead of ${name}`, remedy);
    if (aheadMs < -MOST_BEHIND_MS)
      throw warning(
        `${name} is ${seconds(aheadMs)} behind: it lags, or this machine's clock is ahead`,
        `If the clock is right, set SUI_RPC_URL to a node that keeps up. ${remedy}`,
      );
  }
  if (others.length === 0) throw warning('there is no other clock to compare with', remedy);
  return `agrees with ${others.map(({ name }) => name).join(' and ')}`;
}

async function readDatabaseClock({ db }: Pick<Subject, 'db'>): Promise<OtherClock> {
  const beforeMs = Date.now();
  const { rows } = await sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(
    db,
  );
  const aheadMs = Number(rows[0]?.ms) - (beforeMs + Date.now()) / 2;
  return { name: 'the database', aheadMs, mayLag: false };
}

async function readChainClock({ sui }: Pick<Subject, 'sui'>): Promise<OtherClock | null> {
  const { response } = await sui.ledgerService.getServiceInfo({}, { abort: AbortSignal.timeout(10_000) });
  if (response.timestamp === undefined) return null;
  const { seconds, nanos } = response.timestamp;
  return { name: 'the Sui node', aheadMs: Number(seconds) * 1000 + nanos / 1e6 - Date.now(), mayLag: true };
}

export async function askClocks(subject: Pick<Subject, 'db' | 'sui'>): Promise<string> {
  const clocks = await Promise.all([
    readDatabaseClock(subject).catch(() => null),
    readChainClock(subject).catch(() => null),
  ]);
  return checkClocks(clocks.filter((clock) => clock !== null));
}
