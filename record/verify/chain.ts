import { RpcError } from '@mysten/sui/grpc';
import { createSuiClient } from '#chain/client.ts';
import { findCheckpointBefore, PrunedError, readHistoryPage, readHistoryRange } from '#chain/history.ts';
import { type Payment, paymentsIn, paymentsOf } from '#chain/paid.ts';
import type { SuiNetwork } from '#shared/constants.ts';

export interface Listed {
  payments: Payment[];
  /** The list is complete from this moment on; Infinity where the node lists nothing. */
  sinceMs: number;
}

/** Each call throws where the node does not respond. */
export interface Chain {
  url: string;
  clockMs: () => Promise<number>;
  /** All that a wallet has paid since a moment, oldest first, or as far back as the node lists it. */
  paymentsBy: (sender: string, sinceMs: number) => Promise<Listed>;
  paymentsIn: (digest: string) => Promise<Payment[]>;
  balanceMist: (address: string) => Promise<bigint>;
}

/** A wallet that sends one transaction a day fills few pages; a wallet with more is not used for anchors alone. */
const MAX_PAGES = 2_000;
const CALL_MS = 8_000;
const NOTHING: Listed = { payments: [], sinceMs: Infinity };

export function openChain({ network, url }: { network: SuiNetwork; url: string }): Chain {
  const client = createSuiClient({ network, url });

  async function checkpointTimeMs(sequenceNumber: bigint): Promise<number> {
    const { response } = await client.ledgerService.getCheckpoint(
      { checkpointId: { oneofKind: 'sequenceNumber', sequenceNumber }, readMask: { paths: ['summary.timestamp'] } },
      { abort: AbortSignal.timeout(CALL_MS) },
    );
    const timestamp = response.checkpoint?.summary?.timestamp;
    if (!timestamp) throw new Error('the node does not say when its history begins');
    return Number(timestamp.seconds) * 1000 + Math.ceil(timestamp.nanos / 1_000_000);
  }

  async function readPayments(sender: string, sinceMs: number): Promise<Listed> {
    const { tip, lowest } = await readHistoryRange(client);
    const wanted = await findCheckpointBefore(client, sinceMs);
    const first = wanted < lowest ? lowest : wanted;
    const listedSinceMs = wanted < lowest ? await checkpointTimeMs(lowest) : sinceMs;
    const payments: Payment[] = [];
    let after: Uint8Array | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { transactions, next, cursor } = await readHistoryPage(client, sender, { first, last: tip, after });
      payments.push(...transactions.flatMap(paymentsOf));
      if (next !== 'more') return { payments, sinceMs: listedSinceMs };
      after = cursor;
    }
    return NOTHING;
  }

  return {
    url,
    clockMs: async () => (await readHistoryRange(client)).tipTimeMs,
    async paymentsBy(sender, sinceMs) {
      try {
        return await readPayments(sender, sinceMs);
      } catch (error) {
        if (error instanceof PrunedError || (error instanceof RpcError && error.code === 'UNIMPLEMENTED'))
          return NOTHING;
        throw error;
      }
    },
    paymentsIn: (digest) => paymentsIn(client, digest),
    balanceMist: async (owner) => BigInt((await client.core.getBalance({ owner })).balance.balance),
  };
}
