import { sql } from 'kysely';
import { readHeld } from '#chain/held.ts';
import type { Db } from '#db/client.ts';
import { PAYOUT_MAX_RECIPIENTS } from '#shared/constants.ts';
import type { AutomaticPayouts } from '#shared/contract/admin.ts';
import { findPaidToday } from '../batches/key-wallet.ts';
import { areBooksInOrder } from '../rule/rule.ts';
import type { Services } from '#server/kit/services.ts';
import { walletStanding } from '#server/figures/standing/risk.ts';
import { isPaused } from '../withdrawals/queries.ts';

const CHAIN_TIMEOUT_MS = 5_000;

export interface Payable {
  id: number;
  walletAddress: string;
  tokenAmount: number;
}

export const findPayable = (db: Db): Promise<Payable[]> =>
  db
    .selectFrom('withdrawals')
    .select(['id', 'walletAddress', 'tokenAmount'])
    .where('state', '=', 'approved')
    .where(sql<boolean>`${walletStanding(sql`withdrawals.user_id`)} = 'standing'`)
    .orderBy('id')
    .limit(PAYOUT_MAX_RECIPIENTS)
    .execute();

export async function heldSnaps({ sui, config }: Services, owner: string): Promise<number> {
  const coinType = config.snapsCoinType ?? '';
  const signal = AbortSignal.timeout(CHAIN_TIMEOUT_MS);
  return Number((await readHeld(sui, { owner, coinType, signal })) / 10n ** BigInt(config.snapsDecimals));
}

/** Null without PAYOUT_PRIVATE_KEY. @throws when the node does not respond */
export async function readShortage(services: Services): Promise<{ held: number; waiting: number } | null> {
  const { db, config } = services;
  if (config.payoutKey === null) return null;
  const [held, waiting] = await Promise.all([heldSnaps(services, config.payoutKey.toSuiAddress()), findPayable(db)]);
  return { held, waiting: waiting.reduce((sum, { tokenAmount }) => sum + tokenAmount, 0) };
}

const REFUSED = 'The chain refuses this payout';
const LONGEST_REASON = 300;
const MOST_SHOWN = 50;

export async function noteRejection(db: Db, id: number, error: unknown): Promise<void> {
  const reason = `${REFUSED}: ${error instanceof Error ? error.message : String(error)}`.slice(0, LONGEST_REASON);
  await db.updateTable('withdrawals').set({ reason }).where('id', '=', id).where('state', '=', 'approved').execute();
}

async function findRefused(db: Db): Promise<AutomaticPayouts['refused']> {
  const rows = await db
    .selectFrom('withdrawals')
    .select(['id', 'reason'])
    .where('state', '=', 'approved')
    .where('reason', 'like', `${REFUSED}%`)
    .orderBy('id')
    .limit(MOST_SHOWN)
    .execute();
  return rows.map(({ id, reason }) => ({ id, reason: reason ?? '' }));
}

async function findApprovedToday(db: Db): Promise<AutomaticPayouts['approvedToday']> {
  const { rows } = await sql<AutomaticPayouts['approvedToday']>`
    SELECT count(*)::int AS withdrawals, coalesce(sum(token_amount), 0)::bigint AS snaps FROM withdrawals
    WHERE auto_approved_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`.execute(db);
  return rows[0] ?? { withdrawals: 0, snaps: 0 };
}

export async function readAutomatic(services: Services): Promise<AutomaticPayouts> {
  const { db, sui, config } = services;
  const walletAddress = config.payoutKey?.toSuiAddress() ?? null;
  const [paused, areBooksFine, approvedToday, refused] = await Promise.all([
    isPaused(db),
    areBooksInOrder(db),
    findApprovedToday(db),
    findRefused(db),
  ]);
  const state = { maxSnaps: config.payoutAutoMaxSnaps, paused, areBooksFine, approvedToday, refused };
  if (walletAddress === null) return { ...state, key: null };
  const [paidToday, shortage, gas] = await Promise.all([
    findPaidToday(db, walletAddress),
    readShortage(services).catch(() => null),
    sui.core.getBalance({ owner: walletAddress, signal: AbortSignal.timeout(CHAIN_TIMEOUT_MS) }).catch(() => null),
  ]);
  return {
    ...state,
    key: {
      walletAddress,
      dailyMaxSnaps: config.payoutDailyMaxSnaps,
      paidToday,
      heldSnaps: shortage?.held ?? null,
      waitingSnaps: shortage?.waiting ?? null,
      gasMist: gas?.balance.balance ?? null,
    },
  };
}
