import type { SuiGrpcClient } from '@mysten/sui/grpc';

const CALL_TIMEOUT_MS = 5_000;
const MS_PER_S = 1_000;
const NS_PER_MS = 1_000_000;

export interface NodeInfo {
  chainId: string;
  timeMs: number | null;
  checkpoint: string | null;
  epoch: string | null;
}

/** `core.getChainIdentifier` would repeat its first response for the life of the client. */
export async function askNode(client: SuiGrpcClient, timeoutMs = CALL_TIMEOUT_MS): Promise<NodeInfo> {
  const { response } = await client.ledgerService.getServiceInfo({}, { abort: AbortSignal.timeout(timeoutMs) });
  const { chainId, timestamp, checkpointHeight, epoch } = response;
  if (!chainId) throw new Error('the node does not say which chain it serves');
  const timeMs = timestamp ? Number(timestamp.seconds) * MS_PER_S + timestamp.nanos / NS_PER_MS : null;
  return { chainId, timeMs, checkpoint: checkpointHeight?.toString() ?? null, epoch: epoch?.toString() ?? null };
}
