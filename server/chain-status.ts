import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { askNode } from '#chain/node.ts';

export interface ChainStatus {
  /** other: the node serves another chain than before (R68) · unknown: it has neither responded nor failed yet. */
  state: 'up' | 'other' | 'down' | 'unknown';
  /** How far the node's newest checkpoint was behind this machine's clock; null while it is down or unknown, or does not say. */
  behindMs: number | null;
}

export interface ChainStatusReader {
  /** Status of the last ten seconds. A node that hangs delays the caller by half a second at most. */
  read(): Promise<ChainStatus>;
}

export interface ChainStatusOptions {
  /** The chain that this server knows; null while it knows none. */
  chainId?: () => string | null;
  /** How long a status is used before the node is asked again. */
  freshMs?: number;
  /** How long a caller waits for a node that is being asked. */
  patienceMs?: number;
  /** After that the node is down. */
  timeoutMs?: number;
}

/** Asks the node for its newest checkpoint, occasionally and one call at a time, for any number of callers. */
export function createChainStatus(sui: SuiGrpcClient, options: ChainStatusOptions = {}): ChainStatusReader {
  const { chainId = () => null, freshMs = 10_000, patienceMs = 500, timeoutMs = 5_000 } = options;
  let known: ChainStatus = { state: 'unknown', behindMs: null };
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function ask(): Promise<void> {
    try {
      const node = await askNode(sui, timeoutMs);
      const isOther = chainId() !== null && chainId() !== node.chainId;
      // The progress of another chain means nothing.
      known = isOther
        ? { state: 'other', behindMs: null }
        : { state: 'up', behindMs: node.timeMs === null ? null : Date.now() - node.timeMs };
    } catch {
      known = { state: 'down', behindMs: null };
    } finally {
      running = null;
    }
  }

  return {
    async read() {
      if (running === null && performance.now() - askedAtMs < freshMs) return known;
      askedAtMs = running === null ? performance.now() : askedAtMs;
      running ??= ask();
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
      await Promise.race([running, patience]);
      clearTimeout(timer);
      return known;
    },
  };
}
