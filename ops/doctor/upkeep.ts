import { sql } from 'kysely';
import { defaultRpcUrl } from '#chain/client.ts';
import type { Db } from '#db/client.ts';
import { plural } from '#shared/plural.ts';
import { hasOtherLogKey } from '#server/record/identity.ts';
import { neededPerSecond } from '#server/figures/standing/pace.ts';
import { failure, warning } from './check.ts';
import type { Subject } from './subject.ts';

type OfDatabase = Pick<Subject, 'db' | 'config'>;

const ENOUGH = 0.95;

interface NewestReading {
  wallets: number;
  walletsRead: number;
  tookMs: number;
  isFinished: boolean;
  skipped: string | null;
}

const OWN_NODE = 'Set SUI_RPC_URL to a full node of your own, or of a provider that allows so many calls';

async function newestReading(db: Db): Promise<NewestReading | null> {
  const { rows } = await sql<NewestReading>`
    SELECT wallets, CASE WHEN finished_at IS NULL THEN wallets_read ELSE wallets - unread END AS wallets_read, extract(epoch FROM coalesce(finished_at, now()) - started_at)::float8 * 1000 AS took_ms,
      finished_at IS NOT NULL AS is_finished, (SELECT skipped FROM standing_days d ORDER BY d.day DESC LIMIT 1) AS skipped
    FROM standing_readings WHERE started_at IS NOT NULL ORDER BY started_at DESC LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

const inNumber = (perSecond: number): string => perSecond.toFixed(perSecond < 10 ? 1 : 0);

export async function askReadings({ db, config }: OfDatabase): Promise<string | null> {
  const { standingReadsPerSecond, rpcUrl, network } = config;
  const newest = await newestReading(db);
  if (newest === null || newest.wallets === 0) return null;
  const { wallets, walletsRead, tookMs, isFinished, skipped } = newest;
  const needed = neededPerSecond(wallets);
  const needs = `${plural(wallets, 'wallet')}: needs ${inNumber(needed)} a second`;
  if (needed > standingReadsPerSecond)
    throw failure(
      `${needs}, and STANDING_READS_PER_SECOND allows ${standingReadsPerSecond}`,
      `Set STANDING_READS_PER_SECOND=${Math.ceil(needed * 1.5)}`,
    );
  // The first minute of a reading shows too little.
  const got = isFinished || tookMs > 60_000 ? (walletsRead * 1000) / Math.max(tookMs, 1) : null;
  if (got !== null && got < needed * ENOUGH)
    throw warning(
      `${needs}, gets ${inNumber(got)}: days will be skipped`,
      rpcUrl === defaultRpcUrl(network) ? `${OWN_NODE}; the public one limits calls` : OWN_NODE,
    );
  if (skipped !== null)
    throw warning(
      `the last day was skipped: ${skipped}`,
      'See the log of the server for why the reading of balances waited',
    );
  return got === null ? needs : `${needs}, gets ${inNumber(got)}`;
}

export async function askRecord({ db, config }: OfDatabase): Promise<string> {
  const begun = await db.selectFrom('logCheckpoints').select('size').limit(1).executeTakeFirst();
  if (begun !== undefined && (config.logPrivateKey === null || (await hasOtherLogKey(db, config))))
    throw failure(
      'LOG_PRIVATE_KEY is not the key that has signed the record so far: nothing is published',
      'Set the previous LOG_PRIVATE_KEY; a record that has begun cannot continue with another key',
    );
  if (config.logPrivateKey === null)
    throw warning(
      'off: LOG_PRIVATE_KEY is empty',
      'Set LOG_PRIVATE_KEY (`openssl rand -base64 32`), and keep it as long as the database',
    );
  return config.anchorKey === null ? 'signed, without anchors on Sui' : 'signed and anchored';
}
