import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { sql } from 'kysely';
import { readPayable } from '#chain/funds.ts';
import { buildBoundPayout } from '#chain/payout.ts';
import { lifeOfBytes } from '#chain/transaction-bytes.ts';
import { ADVISORY_LOCK_NAMES } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';
import { eachRow, restingRows } from '#db/each-row.ts';
import type { Actor } from '#server/books/audit.ts';
import { conflict } from '#server/kit/http/errors.ts';
import { findPaidToday, findRecent } from '../batches/key-wallet.ts';
import { type BatchRow, findBatch } from '../batches/queries.ts';
import { requireExplained } from '../history/gate.ts';
import type { Services } from '#server/kit/services.ts';
import { isPaused } from '../withdrawals/queries.ts';
import { findPayable, noteRejection, type Payable } from './automatic.ts';
import { findUnended } from './ended.ts';
import { type Allow, execute } from './execute.ts';
import { cancel, prepare } from './prepare.ts';

/** The wait grows with each payout that the chain rejected. */
const FIRST_WAIT_S = 15;
const LONGEST_WAIT_S = 3_600;
const BUILD_MS = 20_000;
const WITHDRAWAL = 'withdrawal';

/**
 * Pays approved withdrawals of wallets with standing by PAYOUT_PRIVATE_KEY in one transaction (R79); returns their
 * number. Pays nothing while withdrawals are paused, while an earlier payout of this key has no outcome, or when the
 * chain cannot be asked.
 */
export async function payByKey(services: Services): Promise<number> {
  const { db, config } = services;
  const { payoutKey: key } = config;
  if (key === null || (await isPaused(db))) return 0;
  const who: Actor = { actor: key.toSuiAddress(), ip: null };
  const { prepared, isSending, rejected, rejectedSecondsAgo } = await findRecent(db, who.actor);
  if (isSending) return 0;
  if (prepared.length > 0) await cancelInterrupted(services, who, prepared);
  const waitS = Math.min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** Math.min(rejected, 10));
  if (rejectedSecondsAgo !== null && rejectedSecondsAgo < waitS) return 0;
  const resting = new Set(restingRows<number>(db, WITHDRAWAL));
  const waiting = (await findPayable(db)).filter(({ id }) => !resting.has(id));
  if (waiting.length === 0) return 0;
  const chosen = await choose(services, who.actor, waiting);
  if (chosen.length === 0) return 0;
  return payThem(services, { key, who }, chosen);
}

/** Asks the chain first: a restored database may have lost the sending. */
async function cancelInterrupted(services: Services, who: Actor, batchIds: readonly string[]): Promise<void> {
  await requireExplained(services);
  for (const id of batchIds)
    if ((await findBatch(services.db, id)).state === 'prepared') await cancel(services, who, id);
}

/** Takes what one payout of the wallet and the rest of the day's cap cover. */
async function choose(services: Services, sender: string, waiting: readonly Payable[]): Promise<Payable[]> {
  const { db, config } = services;
  const unit = 10n ** BigInt(config.snapsDecimals);
  const neededUnits = waiting.reduce((sum, { tokenAmount }) => sum + BigInt(tokenAmount) * unit, 0n);
  const payableUnits = await readPayable(services.sui, {
    owner: sender,
    coinType: config.snapsCoinType ?? '',
    neededUnits,
  });
  let left = Math.min(
    Number(payableUnits / unit),
    config.payoutDailyMaxSnaps - (await findPaidToday(db, sender)).snaps,
  );
  return waiting.filter(({ tokenAmount }) => {
    if (tokenAmount > left) return false;
    left -= tokenAmount;
    return true;
  });
}

async function payThem(
  services: Services,
  { key, who }: { key: Ed25519Keypair; who: Actor },
  chosen: readonly Payable[],
): Promise<number> {
  const { log } = services;
  // Built first: without gas, or without a node, nothing is prepared.
  const built = await build(services, who.actor, chosen).catch(() => findRefused(services, who.actor, chosen));
  if (built === null) return 0;
  const life = lifeOfBytes(built);
  const unended = await findUnended(
    services,
    chosen.map(({ id }) => id),
    life && { life },
  );
  const rest = chosen.filter(({ id }) => !unended.includes(id));
  if (rest.length === 0) return 0;
  if (rest.length < chosen.length) return payThem(services, { key, who }, rest);
  const batch = await prepare(
    services,
    who,
    chosen.map(({ id }) => id),
  );
  try {
    const { bytes, signature } = await key.signTransaction(built);
    await execute(services, who, batch.id, { bytes, signature }, allowance(services));
    return chosen.length;
  } catch (error) {
    const { state } = await findBatch(services.db, batch.id);
    if (state === 'prepared') await cancel(services, who, batch.id);
    log.warn({ err: error, batchId: batch.id }, 'the payout key could not pay');
    return 0;
  }
}

/** Sets the withdrawals aside that the chain refuses; the next run pays the others. @throws when the wallet cannot pay at all */
async function findRefused(services: Services, sender: string, chosen: readonly Payable[]): Promise<null> {
  const { db } = services;
  // The same payment to the wallet itself.
  await build(
    services,
    sender,
    chosen.map((one) => ({ ...one, walletAddress: sender })),
  );
  const tryOut = async (some: readonly Payable[]): Promise<void> => {
    try {
      await build(services, sender, some);
    } catch (error) {
      const [one, ...others] = some;
      if (one && others.length === 0) await noteRejection(db, one.id, error);
      throw error;
    }
  };
  await eachRow(db, { of: WITHDRAWAL, idOf: ({ id }) => id, slice: chosen.length }, chosen, tryOut);
  return null;
}

async function build({ sui, config }: Services, sender: string, chosen: readonly Payable[]): Promise<Uint8Array> {
  const unit = 10n ** BigInt(config.snapsDecimals);
  const transaction = await buildBoundPayout(sui, {
    sender,
    coinType: config.snapsCoinType ?? '',
    transfers: chosen.map(({ walletAddress, tokenAmount }) => ({
      address: walletAddress,
      amountUnits: BigInt(tokenAmount) * unit,
    })),
  });
  // The SDK sets no limit to its calls.
  const late = new Promise<never>((_, fail) => {
    setTimeout(() => fail(new Error('the node does not complete a payout')), BUILD_MS).unref();
  });
  return Promise.race([transaction.build({ client: sui }), late]);
}

/** Stops at a pause or a full cap since the preparation, exact on any number of servers. */
export const allowance =
  ({ config }: Services): Allow =>
  async (trx: Db, { sender, items }: BatchRow) => {
    const lock = ADVISORY_LOCK_NAMES.payoutKey(sender ?? '');
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
    if (await isPaused(trx, { lock: true })) throw conflict('withdrawals_paused', 'Withdrawals are paused');
    const { snaps } = await findPaidToday(trx, sender ?? '');
    const more = items.reduce((sum, { tokenAmount }) => sum + tokenAmount, 0);
    if (snaps + more > config.payoutDailyMaxSnaps)
      throw conflict('daily_cap', `PAYOUT_DAILY_MAX_SNAPS allows ${config.payoutDailyMaxSnaps} Snaps a day`);
  };
