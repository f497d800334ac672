import { normalizeStructTag } from '@mysten/sui/utils';
import { readFirstCheckpoint } from '#chain/history.ts';
import { chainIdOf } from '#server/kit/chain-id.ts';
import type { Services } from '#server/kit/services.ts';
import { openBooks } from './books.ts';
import { processSent } from './process.ts';
import { readWallet } from './read.ts';
import { findCheckpoint } from './scans.ts';

const READ_MS = 20_000;

interface Paid {
  wallet: string;
  coinType: string;
}

/** The last checkpoint up to which all that a wallet has sent is in the books; null while it cannot be read. */
export async function readNow(services: Services, { wallet, coinType }: Paid): Promise<bigint | null> {
  const subject = { wallet, coinType: normalizeStructTag(coinType) };
  const books = await openBooks(services);
  const process = (tx: Parameters<typeof processSent>[3]) => processSent(services, subject, books, tx);
  const state = await readWallet(services, { subject, process, deadlineMs: performance.now() + READ_MS });
  const chainId = state === 'complete' ? await chainIdOf(services) : null;
  return chainId === null ? null : findCheckpoint(services.db, chainId, subject);
}

/**
 * True when an epoch has ended and the books contain all that a wallet has sent in it: a transaction that is not among
 * them was not executed, and cannot be. False while the chain cannot be asked.
 */
export async function isReadPast(services: Services, paid: Paid, epoch: bigint): Promise<boolean> {
  try {
    const first = await readFirstCheckpoint(services.sui, epoch + 1n);
    if (first === null) return false;
    const checkpoint = await readNow(services, paid);
    return checkpoint !== null && checkpoint + 1n >= first;
  } catch (error) {
    services.log.warn({ err: error, epoch: String(epoch) }, 'the end of an epoch cannot be read');
    return false;
  }
}
