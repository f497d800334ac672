import { isDigest, lookUpTransaction, type LookUp, type Submission, submitTransaction } from '#chain/transactions.ts';
import { chainIdOf } from './chain-id.ts';
import type { Services } from './services.ts';

/*
 * Calls about money. What another chain says of a transaction looks like what our chain would say: it never saw it, it rejects it, or test
 * money has paid. So the node is asked who it is, before the call and after it (R68).
 */

async function onOurChain<T>(services: Services, call: () => Promise<T>, otherwise: T): Promise<T> {
  if ((await chainIdOf(services)) === null) return otherwise;
  const result = await call();
  return (await chainIdOf(services)) === null ? otherwise : result;
}

export function lookUp(services: Services, digest: string): Promise<LookUp> {
  if (!isDigest(digest)) return Promise.resolve({ state: 'invalid' });
  return onOurChain<LookUp>(services, () => lookUpTransaction(services.sui, digest), { state: 'unreachable' });
}

export const submit = (services: Services, bytes: Uint8Array, signature: string): Promise<Submission> =>
  onOurChain<Submission>(services, () => submitTransaction(services.sui, bytes, signature), { state: 'unknown' });
