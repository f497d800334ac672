import {
  type HistoryRange,
  type PastTransaction,
  PrunedError,
  readHistoryPage,
  readHistoryRange,
} from '#chain/history.ts';
import type { ScanState } from '#shared/contract/payout-history.ts';
import { chainIdOf } from '#server/kit/chain-id.ts';
import type { Services } from '#server/kit/services.ts';
import { findScan, storeScan, storeUnreachable, type Subject } from './scans.ts';
import { isIndexed } from './transfers.ts';

/** A node with an older newest checkpoint, by our clock, may not know the newest payouts. */
const STALE_MS = 5 * 60_000;
/** A node indexes a transaction a moment after its execution. */
const INDEX_WAIT_MS = 250;
const INDEX_WAITS = 8;

export interface Reading {
  subject: Subject;
  process: (tx: PastTransaction) => Promise<void>;
  deadlineMs: number;
}

interface Progress {
  state: ScanState;
  checkpoint: bigint;
}

/**
 * Reads a wallet's history from the last checkpoint read. Each transaction is processed before its checkpoint is
 * stored, so a reading can be interrupted anywhere. Several servers may read at once.
 */
export async function readWallet(services: Services, reading: Reading): Promise<ScanState> {
  const { subject } = reading;
  const range = await orUnreachable(services, () => readOwnRange(services));
  const scan = range && (await orUnreachable(services, () => findScan(services, subject, range)));
  if (!range || !scan) {
    await storeUnreachable(services.db, subject);
    return 'unreachable';
  }
  const progress = await readOn(services, reading, range, BigInt(scan.checkpoint));
  await storeScan(services.db, { subject, range, ...progress });
  return progress.state;
}

/** @throws while the node serves another chain (R68) */
async function readOwnRange(services: Services): Promise<HistoryRange> {
  const range = await readHistoryRange(services.sui);
  if (range.chainId !== (services.chainId ?? (await chainIdOf(services))))
    throw new Error('the node serves another chain');
  return range;
}

async function orUnreachable<T>({ log }: Services, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PrunedError) throw error;
    log.warn({ err: error }, 'the history of a wallet cannot be read');
    return null;
  }
}

async function readOn(
  services: Services,
  reading: Reading,
  range: HistoryRange,
  checkpoint: bigint,
): Promise<Progress> {
  if (Date.now() - range.tipTimeMs > STALE_MS || range.tip < checkpoint) return { state: 'behind', checkpoint };
  let covered = checkpoint;
  let after: Uint8Array | undefined;
  let waits = 0;
  while (covered < range.tip) {
    const span = { first: covered + 1n, last: range.tip, after };
    const page = await readPage(services, reading, range, span);
    if (typeof page === 'string') return { state: page, checkpoint: covered };
    for (const tx of page.transactions) {
      if (!isIndexed(tx)) return { state: 'behind', checkpoint: covered };
      await reading.process(tx);
    }
    if (page.covered !== null && page.covered > covered) covered = page.covered;
    if (page.next === 'done') break;
    after = page.next === 'more' ? page.cursor : undefined;
    if (page.next === 'behind') {
      waits += 1;
      if (waits > INDEX_WAITS) return { state: 'behind', checkpoint: covered };
      await new Promise((resolve) => setTimeout(resolve, INDEX_WAIT_MS));
    }
    if (performance.now() > reading.deadlineMs) return { state: 'reading', checkpoint: covered };
  }
  return { state: 'complete', checkpoint: covered };
}

async function readPage(
  services: Services,
  { subject }: Reading,
  range: HistoryRange,
  span: { first: bigint; last: bigint; after: Uint8Array | undefined },
) {
  if (span.first < range.lowest) return 'pruned' as const;
  try {
    return (
      (await orUnreachable(services, () => readHistoryPage(services.sui, subject.wallet, span))) ??
      ('unreachable' as const)
    );
  } catch (error) {
    if (error instanceof PrunedError) return 'pruned' as const;
    throw error;
  }
}
