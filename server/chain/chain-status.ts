import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { askNode } from '#chain/node.ts';
import { createRefreshed } from '../kit/refreshed.ts';
import type { ChainStatus, ChainStatusReader } from '../kit/services.ts';

export interface ChainStatusOptions {
  chainId?: () => string | null;
  freshMs?: number;
  patienceMs?: number;
  timeoutMs?: number;
}

/** Asks the node for its newest checkpoint, occasionally and one call at a time, for any number of callers. */
export function createChainStatus(sui: SuiGrpcClient, options: ChainStatusOptions = {}): ChainStatusReader {
  const { chainId = () => null, freshMs = 10_000, patienceMs = 500, timeoutMs = 5_000 } = options;
  async function ask(): Promise<ChainStatus> {
    try {
      const node = await askNode(sui, timeoutMs);
      const isOther = chainId() !== null && chainId() !== node.chainId;
      if (isOther) return { state: 'other', behindMs: null };
      return { state: 'up', behindMs: node.timeMs === null ? null : Date.now() - node.timeMs };
    } catch {
      return { state: 'down', behindMs: null };
    }
  }
  return { read: createRefreshed<ChainStatus>({ state: 'unknown', behindMs: null }, ask, { freshMs, patienceMs }) };
}
