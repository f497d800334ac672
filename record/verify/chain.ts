import { RpcError } from '@mysten/sui/grpc';
import { readBook } from '#chain/book.ts';
import { createSuiClient } from '#chain/client.ts';
import { netChanges, readHeld } from '#chain/held.ts';
import {
  findCheckpointBefore,
  type PastTransaction,
  PrunedError,
  readHistoryPage,
  readHistoryRange,
} from '#chain/history.ts';
import { readMinter } from '#chain/minter.ts';
import { type Payment, paymentsIn, paymentsOf } from '#chain/paid.ts';
import type { SuiNetwork } from '#shared/constants.ts';
import type { CoinChain } from './reserves.ts';

export interface Listed {
  payments: Payment[];
  /** The list is complete from this moment on; Infinity where the node lists nothing. */
  sinceMs: number;
}

/** Reads of a Sui node. Each call throws if the node does not respond. */
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

export function openChain({ network, url }: { network: SuiNetwork; url: string }): Chain & CoinChain {
  const client = createSuiClient({ network, url });
  const signal = () => AbortSignal.timeout(CALL_MS);

  async function checkpointTimeMs(sequenceNumber: bigint): Promise<number> {
    const { response } = await client.ledgerService.getCheckpoint(
      { checkpointId: { oneofKind: 'sequenceNumber', sequenceNumber }, readMask: { paths: ['summary.timestamp'] } },
      { abort: signal() },
    );
    const timestamp = response.checkpoint?.summary?.timestamp;
    if (!timestamp) throw new Error('the node does not say when its history begins');
    return Number(timestamp.seconds) * 1000 + Math.ceil(timestamp.nanos / 1_000_000);
  }

  async function readList<T>(
    wallet: string,
    { sinceMs, by, read }: { sinceMs: number; by: 'sender' | 'affected'; read: (found: PastTransaction) => T[] },
  ): Promise<{ found: T[]; sinceMs: number; isWhole: boolean }> {
    const found: T[] = [];
    const nothing = { found: [], sinceMs: Infinity, isWhole: false };
    try {
      const { tip, lowest } = await readHistoryRange(client);
      const wanted = await findCheckpointBefore(client, sinceMs);
      const first = wanted < lowest ? lowest : wanted;
      const listedSinceMs = wanted < lowest ? await checkpointTimeMs(lowest) : sinceMs;
      let after: Uint8Array | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const { transactions, next, cursor } = await readHistoryPage(client, wallet, { first, last: tip, after, by });
        found.push(...transactions.flatMap(read));
        if (next !== 'more')
          return { found, sinceMs: listedSinceMs, isWhole: next === 'done' && listedSinceMs <= sinceMs };
        after = cursor;
      }
    } catch (error) {
      if (!(error instanceof PrunedError || (error instanceof RpcError && error.code === 'UNIMPLEMENTED'))) throw error;
    }
    return nothing;
  }

  return {
    url,
    clockMs: async () => (await readHistoryRange(client)).tipTimeMs,
    async paymentsBy(sender, sinceMs) {
      const listed = await readList(sender, { sinceMs, by: 'sender', read: paymentsOf });
      return { payments: listed.found, sinceMs: listed.sinceMs };
    },
    paymentsIn: (digest) => paymentsIn(client, digest),
    balanceMist: async (owner) => BigInt((await client.core.getBalance({ owner })).balance.balance),
    decimals: async (coinType) => (await client.core.getCoinMetadata({ coinType })).coinMetadata?.decimals ?? null,
    book: (id) => readBook(client, id),
    minter: (coinType) => readMinter(client, coinType, signal()),
    heldUnits: (owner, coinType) => readHeld(client, { owner, coinType, signal: signal() }),
    async moves(owner, coinType, sinceMs) {
      const read = (found: PastTransaction) => {
        const [timeMs, units] = [found.timestampMs ?? 0, netChanges(found, coinType).get(owner) ?? 0n];
        return timeMs > sinceMs && units !== 0n ? [{ timeMs, units }] : [];
      };
      const { found, isWhole } = await readList(owner, { sinceMs, by: 'affected', read });
      return isWhole ? found : null;
    },
  };
}
