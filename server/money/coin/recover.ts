import { deliver, lookUp } from '#server/kit/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { SERVER } from '../batches/settle.ts';
import { findPublication } from './queries.ts';
import { outcomeOf, settlePublication } from './settle.ts';

/** A chain that responds and does not know a transaction for this long will not execute it. */
const GIVE_UP_MS = 24 * 3_600_000;
/** The sending request gets this long before its transaction is sent again. */
const FIRST_SENDING_MS = 60_000;

/** Finds the coin of a publication without an answer, by its digest, and sends the same bytes again. */
export async function recoverCoin(services: Services, nowMs = Date.now()): Promise<void> {
  const row = await findPublication(services.db);
  if (row?.state !== 'sent') return;
  const { digest, signature, transaction: bytes } = row;
  const seen = await lookUp(services, digest);
  if (seen.state === 'found') return settlePublication(services.db, SERVER, digest, outcomeOf(seen.transaction));
  if (seen.state !== 'unseen') return;
  const waitedMs = nowMs - row.createdAt.getTime();
  if (waitedMs > GIVE_UP_MS) return settlePublication(services.db, SERVER, digest, { failureCode: 'unseen' });
  if (waitedMs < FIRST_SENDING_MS) return;
  const sent = await deliver(services, { digest, bytes, signature });
  if (sent.state === 'executed') await settlePublication(services.db, SERVER, digest, outcomeOf(sent.transaction));
}
