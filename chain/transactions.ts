import type { ClientWithCoreApi, SuiClientTypes } from '@mysten/sui/client';
import { TransactionError } from '@mysten/sui/client';
import { RpcError } from '@mysten/sui/grpc';
import { fromBase58 } from '@mysten/sui/utils';

const INCLUDE = { effects: true, balanceChanges: true, transaction: true } as const;
export type ExecutedTransaction = SuiClientTypes.Transaction<typeof INCLUDE>;

export const CLOCK_SKEW_MS = 120_000;

/**
 * found: final, with balance changes unless it failed · unindexed: executed, with an outcome that the node does not know
 * yet · unseen: unknown to the node · unreachable: no node could be asked · invalid: not a digest
 */
export type LookUp =
  | { state: 'found'; transaction: ExecutedTransaction }
  | { state: 'unindexed' | 'unseen' | 'unreachable' | 'invalid' };

export function isDigest(text: string): boolean {
  try {
    return text.length <= 44 && fromBase58(text).length === 32;
  } catch {
    return false;
  }
}

export async function lookUpTransaction(client: ClientWithCoreApi, digest: string, timeoutMs = 8000): Promise<LookUp> {
  if (!isDigest(digest)) return { state: 'invalid' };
  try {
    const result = await client.core.getTransaction({
      digest,
      include: INCLUDE,
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (result.FailedTransaction) return { state: 'found', transaction: result.FailedTransaction };
    const transaction = result.Transaction;
    // Balance changes come from an index that lags behind execution: without them, the result is still unknown.
    const indexed = transaction.checkpoint !== null && transaction.balanceChanges.length > 0;
    return indexed ? { state: 'found', transaction } : { state: 'unindexed' };
  } catch (error) {
    if (error instanceof TransactionError) return { state: 'unseen' };
    return { state: error instanceof RpcError && error.code === 'INVALID_ARGUMENT' ? 'invalid' : 'unreachable' };
  }
}

/** rejected: no validator takes it, so nothing moved · unknown: it may have been executed */
export type Submission =
  | { state: 'executed'; transaction: ExecutedTransaction }
  | { state: 'rejected'; reason: string }
  | { state: 'unknown' };

/** Executes signed bytes; executing the same bytes again has the same outcome and moves no more money. Never throws. */
export async function submitTransaction(
  client: ClientWithCoreApi,
  bytes: Uint8Array,
  signature: string,
  timeoutMs = 15_000,
): Promise<Submission> {
  try {
    const result = await client.core.executeTransaction({
      transaction: bytes,
      signatures: [signature],
      include: INCLUDE,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { state: 'executed', transaction: result.FailedTransaction ?? result.Transaction };
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== 'INVALID_ARGUMENT') return { state: 'unknown' };
    return { state: 'rejected', reason: plainText(error.message) };
  }
}

/** Readable text of a node's error. */
export function plainText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
