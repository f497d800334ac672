import { RpcError } from '@mysten/sui/grpc';
import { createSuiClient } from '#chain/client.ts';
import { findCheckpointBefore, PrunedError, readHistoryPage, readHistoryRange } from '#chain/history.ts';
import { type Payment, paymentsIn, paymentsOf } from '#chain/paid.ts';
import type { SuiNetwork } from '#shared/constants.ts';

/** Each call throws where the node does not respond. */
export interface Chain {
  url: string;
  clockMs: () => Promise<number>;
  /** All that a wallet has paid since a moment, oldest first; null where the node lists no transactions that far back. */
  paymentsBy: (sender: string, sinceMs: number) => Promise<Payment[] | null>;
  paymentsIn: (digest: string) => Promise<Payment[]>;
  balanceMist: (address: string) => Promise<bigint>;
}

/** A wallet that sends one transaction a day fills few pages; a wallet with more is not used for anchors alone. */
const MAX_PAGES = 2_000;
export function openChain({ network, url }: { network: SuiNetwork; url: string }): Chain {
  const client = createSuiClient({ network, url });

  async function readPayments(sender: string, sinceMs: number): Promise<Payment[] | null> {
    const { tip, lowest } = await readHistoryRange(client);
    const first = await findCheckpointBefore(client, sinceMs);
    if (first < lowest) return null;
    const payments: Payment[] = [];
    let after: Uint8Array | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { transactions, next, cursor } = await readHistoryPage(client, sender, { first, last: tip, after });
      payments.push(...transactions.flatMap(paymentsOf));
      if (next !== 'more') return payments;
      after = cursor;
    }
    return null;
  }

  return {
    url,
    clockMs: async () => (await readHistoryRange(client)).tipTimeMs,
    async paymentsBy(sender, sinceMs) {
      try {
        return await readPayments(sender, sinceMs);
      } catch (error) {
        if (error instanceof PrunedError || (error instanceof RpcError && error.code === 'UNIMPLEMENTED')) return null;
        throw error;
      }
    },
    paymentsIn: (digest) => paymentsIn(client, digest),
    balanceMist: async (owner) => BigInt((await client.core.getBalance({ owner })).balance.balance),
  };
}
