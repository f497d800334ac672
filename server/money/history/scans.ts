import { type Selectable, sql } from 'kysely';
import { findCheckpointBefore, type HistoryRange } from '#chain/history.ts';
import type { Db } from '#db/client.ts';
import type { PayoutScans } from '#db/schema.ts';
import type { ScanState } from '#shared/contract/payout-history.ts';
import type { Services } from '#server/kit/services.ts';

export interface Subject {
  wallet: string;
  coinType: string;
}

type ScanRow = Selectable<PayoutScans>;

/** Clocks differ: the books count as complete up to this long before a moment. */
const MARGIN_MS = 10 * 60_000;
/** A payer whose role a restore lost is read from this many days before the last complete reading. */
const LOOK_BACK_DAYS = 30;

const keyOf = (chainId: string, { wallet, coinType }: Subject) => ({
  chainId,
  walletAddress: wallet,
  coinType,
});

export async function findScan({ db, sui }: Services, subject: Subject, range: HistoryRange): Promise<ScanRow> {
  const key = keyOf(range.chainId, subject);
  const present = await scanOf(db, key);
  if (present) return present;
  const { knownUntil } = await db.selectFrom('payoutHistory').select('knownUntil').executeTakeFirstOrThrow();
  const first = await findCheckpointBefore(sui, knownUntil.getTime() - MARGIN_MS);
  const checkpoint = Number(first) - 1;
  await db
    .insertInto('payoutScans')
    .values({ ...key, checkpoint, state: 'reading', tip: Number(range.tip), lowest: Number(range.lowest) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await scanOf(db, key);
  if (!row) throw new Error(`the reading of ${subject.wallet} was not stored`);
  return row;
}

export async function findCheckpoint(db: Db, chainId: string, subject: Subject): Promise<bigint | null> {
  const scan = await scanOf(db, keyOf(chainId, subject));
  return scan ? BigInt(scan.checkpoint) : null;
}

const scanOf = (db: Db, key: ReturnType<typeof keyOf>): Promise<ScanRow | undefined> =>
  db
    .selectFrom('payoutScans')
    .selectAll()
    .where('chainId', '=', key.chainId)
    .where('walletAddress', '=', key.walletAddress)
    .where('coinType', '=', key.coinType)
    .executeTakeFirst();

export async function storeScan(
  db: Db,
  scan: { subject: Subject; range: HistoryRange; state: ScanState; checkpoint: bigint },
): Promise<void> {
  const { subject, range, state, checkpoint } = scan;
  await ofSubject(db, subject)
    .set({
      state,
      checkpoint: sql<number>`greatest(checkpoint, ${checkpoint}::bigint)`,
      tip: Number(range.tip),
      lowest: Number(range.lowest),
      scannedAt: sql<Date>`now()`,
      ...(state === 'complete' ? { completedAt: sql<Date>`now()` } : {}),
    })
    .where('chainId', '=', range.chainId)
    .execute();
}

export async function storeUnreachable(db: Db, subject: Subject): Promise<void> {
  await ofSubject(db, subject)
    .set({ state: 'unreachable', scannedAt: sql<Date>`now()` })
    .execute();
}

const ofSubject = (db: Db, { wallet, coinType }: Subject) =>
  db.updateTable('payoutScans').where('walletAddress', '=', wallet).where('coinType', '=', coinType);

export async function moveKnownUntil(db: Db): Promise<void> {
  const since = sql<Date>`now() - make_interval(days => ${LOOK_BACK_DAYS})`;
  await db.updateTable('payoutHistory').set({ knownUntil: since }).where('knownUntil', '<', since).execute();
}

/** A restored copy differs in one of cluster, timeline and database, unless a whole disk was restored. */
const IDENTITY = sql<string>`(SELECT system_identifier FROM pg_control_system())::text || ':' ||
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || ':' || (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** In a restored copy, transactions since its last reading may be missing (`lost_from`). */
export async function noteDatabase({ db, log }: Services): Promise<void> {
  try {
    const { rows } = await sql<{ before: string | null }>`
      UPDATE payout_history h SET database_id = n.id,
        lost_from = CASE WHEN o.database_id IS NULL THEN h.lost_from ELSE coalesce(
          (SELECT min(completed_at) FROM payout_scans), h.known_until) END,
        lost_until = CASE WHEN o.database_id IS NULL THEN h.lost_until ELSE now() END
      FROM (SELECT ${IDENTITY} AS id) n, payout_history o
      WHERE h.database_id IS DISTINCT FROM n.id RETURNING o.database_id AS before`.execute(db);
    if (rows[0]?.before) log.warn('this database is a restored copy, or has failed over: payouts since are looked for');
  } catch (error) {
    // Not every provider reveals the identity of a database; the owner then records withdrawals.
    log.warn({ err: error }, 'the identity of the database cannot be read');
  }
}
