import { sql } from 'kysely';
import { readHeld } from '#chain/held.ts';
import type { Db } from '#db/client.ts';
import type { AutomaticPayouts } from '#shared/contract/admin.ts';
import { areBooksInOrder } from '../rule/rule.ts';
import type { Services } from '#server/kit/services.ts';
import { walletStanding } from '#server/figures/standing/risk.ts';
import { isPaused } from '../withdrawals/queries.ts';

const CHAIN_TIMEOUT_MS = 5_000;

/** Withdrawals w that the server's key pays. */
export const PAYABLE = sql<boolean>`w.state = 'approved' AND w.refused_reason IS NULL AND NOT w.paid_earlier AND ${walletStanding(sql`w.user_id`)} = 'standing'`;

async function findPayableSnaps(db: Db): Promise<number> {
  const { rows } = await sql<{ snaps: number }>`
    SELECT coalesce(sum(token_amount), 0)::bigint AS snaps FROM withdrawals w WHERE ${PAYABLE}`.execute(db);
  return rows[0]?.snaps ?? 0;
}

/** Withdrawals that the key has sent since midnight; sending one again counts once. */
export async function findPaidToday(db: Db, sender: string): Promise<AutomaticPayouts['approvedToday']> {
  const { rows } = await sql<AutomaticPayouts['approvedToday']>`
    SELECT count(*)::int AS withdrawals, coalesce(sum(token_amount), 0)::bigint AS snaps FROM withdrawals
    WHERE sent_by = ${sender} AND sent_at >= date_trunc('day', now(), 'UTC')`.execute(db);
  return rows[0] ?? { withdrawals: 0, snaps: 0 };
}

export async function heldSnaps({ sui, config }: Services, owner: string): Promise<number> {
  const coinType = config.snapsCoinType ?? '';
  const signal = AbortSignal.timeout(CHAIN_TIMEOUT_MS);
  return Number((await readHeld(sui, { owner, coinType, signal })) / 10n ** BigInt(config.snapsDecimals));
}

/** Null without PAYOUT_PRIVATE_KEY. @throws when the node does not respond */
export async function readShortage(services: Services): Promise<{ held: number; waiting: number } | null> {
  const { db, config } = services;
  if (config.payoutKey === null) return null;
  const [held, waiting] = await Promise.all([
    heldSnaps(services, config.payoutKey.toSuiAddress()),
    findPayableSnaps(db),
  ]);
  return { held, waiting };
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
  const [paused, areBooksFine, approvedToday] = await Promise.all([
    isPaused(db),
    areBooksInOrder(db),
    findApprovedToday(db),
  ]);
  const state = { maxSnaps: config.payoutAutoMaxSnaps, paused, areBooksFine, approvedToday };
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
