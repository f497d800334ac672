import type { SuiGrpcClient } from '@mysten/sui/grpc';

export interface ChainStatus {
  /** 'unknown': the node has not responded yet, and has not failed to. */
  state: 'up' | 'down' | 'unknown';
  /** How far the node's newest checkpoint was behind this machine's clock; null while it is down or unknown, or does not say. */
  behindMs: number | null;
}

export interface ChainStatusReader {
  /** As of the last ten seconds. A node that hangs delays the caller by half a second at most. */
  read(): Promise<ChainStatus>;
}

export interface ChainStatusOptions {
  /** How long a status is used before the node is asked again. */
  freshMs?: number;
  /** How long a caller waits for a node that is being asked. */
  patienceMs?: number;
  /** After that the node is down. */
  timeoutMs?: number;
}

const MS_PER_S = 1_000;
const NS_PER_MS = 1_000_000;

/** Null for a node that does not say when its newest checkpoint was made. */
function behindMs(checkpoint: { seconds: bigint; nanos: number } | undefined): number | null {
  if (checkpoint === undefined) return null;
  return Date.now() - (Number(checkpoint.seconds) * MS_PER_S + checkpoint.nanos / NS_PER_MS);
}

/** Asks the node for its newest checkpoint, however many callers there are, once in a while and one call at a time. */
export function createChainStatus(sui: SuiGrpcClient, options: ChainStatusOptions = {}): ChainStatusReader {
  const { freshMs = 10_000, patienceMs = 500, timeoutMs = 5_000 } = options;
  let known: ChainStatus = { state: 'unknown', behindMs: null };
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function ask(): Promise<void> {
    try {
      const { response } = await sui.ledgerService.getServiceInfo({}, { abort: AbortSignal.timeout(timeoutMs) });
      known = { state: 'up', behindMs: behindMs(response.timestamp) };
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
