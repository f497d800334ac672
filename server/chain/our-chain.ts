import { isComplete } from '#chain/payment-outcome.ts';
import { isDigest, lookUpTransaction, type LookUp, type Submission, submitTransaction } from '#chain/transactions.ts';
import { chainIdOf } from './chain-id.ts';
import { ConfigError } from '../kit/config.ts';
import type { Services } from '../kit/services.ts';

/*
 * The outbox of signed transactions: fees, anchors, and payouts, which the Book makes repeatable. Each is stored with its digest before it
 * is sent, and sent again unchanged until the chain has an outcome: the same bytes move money once. Its owner (payments, anchors) looks
 * open ones up, delivers them again, and settles the result of `deliver` or `lookUp` in its own database transaction. It gives a
 * transaction up only if the chain responds and has not known it for a day: a missing response never means that nothing moved.
 *
 * These calls decide about money, and another chain could say that a transaction is unknown or rejected, or that test money has paid. So
 * the chain of the node is checked before and after each call (R68).
 */

type ChainServices = Pick<Services, 'sui' | 'chainId' | 'config'>;

async function onOurChain<T>(services: ChainServices, call: () => Promise<T>, otherwise: T): Promise<T> {
  if ((await chainIdOf(services)) === null) return otherwise;
  const result = await call();
  return (await chainIdOf(services)) === null ? otherwise : result;
}

/** Null while our chain cannot be read. ConfigErrors are passed on. */
export async function readOurChain<T>(services: ChainServices, read: () => Promise<T>): Promise<T | null> {
  try {
    return await onOurChain<T | null>(services, read, null);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return null;
  }
}

export function lookUp(services: ChainServices, digest: string): Promise<LookUp> {
  if (!isDigest(digest)) return Promise.resolve({ state: 'invalid' });
  return onOurChain<LookUp>(services, () => lookUpTransaction(services.sui, digest), { state: 'unreachable' });
}

/** A signed transaction, as stored before it is sent. */
export interface StoredTransaction {
  digest: string;
  bytes: Uint8Array;
  signature: string;
}

/**
 * Sends a stored transaction, for the first time or again. A rejection proves that nothing moved only for bytes that were never sent
 * before: a node also refuses a transaction whose coins this very transaction has spent.
 */
export async function deliver(
  services: ChainServices,
  { digest, bytes, signature }: StoredTransaction,
): Promise<Submission> {
  const unknown = { state: 'unknown' } as const;
  const sent = await onOurChain<Submission>(services, () => submitTransaction(services.sui, bytes, signature), unknown);
  if (sent.state === 'unknown' || (sent.state === 'executed' && isComplete(sent.transaction))) return sent;
  // The index of the node may know what the node itself cannot report yet.
  const seen = await lookUp(services, digest);
  if (seen.state === 'found') return { state: 'executed', transaction: seen.transaction };
  return sent.state === 'rejected' && seen.state !== 'unseen' ? unknown : sent;
}
