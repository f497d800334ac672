import { GrpcTypes, parseGrpcTransactionResponse, RpcError, type SuiGrpcClient } from '@mysten/sui/grpc';
import type { SuiClientTypes } from '@mysten/sui/client';

const { QueryEndReason } = GrpcTypes;
const INCLUDE = { effects: true, balanceChanges: true, transaction: true, bcs: true } as const;
const FIELDS = ['digest', 'signatures', 'effects', 'timestamp', 'checkpoint', 'balance_changes'];
const TRANSACTION_FIELDS = ['digest', 'bcs', 'sender', 'gas_payment', 'expiration', 'kind'];
const READ_MASK = [...FIELDS, ...TRANSACTION_FIELDS.map((field) => `transaction.${field}`)];
const CALL_MS = 8_000;

export type PastTransaction = SuiClientTypes.Transaction<typeof INCLUDE>;

export interface HistoryRange {
  chainId: string;
  tip: bigint;
  tipTimeMs: number;
  lowest: bigint;
}

export async function readHistoryRange(client: SuiGrpcClient): Promise<HistoryRange> {
  const { response } = await client.ledgerService.getServiceInfo({}, { abort: AbortSignal.timeout(CALL_MS) });
  const { chainId, checkpointHeight, timestamp, lowestAvailableCheckpoint = 0n } = response;
  if (chainId === undefined || checkpointHeight === undefined || timestamp === undefined)
    throw new Error('the node does not say how far its history reaches');
  const tipTimeMs = Number(timestamp.seconds) * 1000 + Math.floor(timestamp.nanos / 1_000_000);
  return { chainId, tip: checkpointHeight, tipTimeMs, lowest: lowestAvailableCheckpoint };
}

/** The first checkpoint of the newest epoch that began by this moment; 0 if the node does not know that epoch. */
export async function findCheckpointBefore(client: SuiGrpcClient, momentMs: number): Promise<bigint> {
  const newest = await readEpoch(client);
  if (newest === null) return 0n;
  if (newest.startMs <= momentMs) return newest.firstCheckpoint;
  // Epochs are numbered without gaps; of these two, the lower one began before the moment, or is the first of all.
  let [low, high] = [0n, newest.epoch];
  let found = 0n;
  while (low < high) {
    const middle = (low + high) / 2n;
    // oxlint-disable-next-line no-await-in-loop -- each response decides the next request
    const epoch = await readEpoch(client, middle);
    if (epoch !== null && epoch.startMs > momentMs) high = middle;
    else {
      if (epoch !== null) found = epoch.firstCheckpoint;
      low = middle + 1n;
    }
  }
  return found;
}

async function readEpoch(client: SuiGrpcClient, epoch?: bigint) {
  try {
    const call = client.ledgerService.getEpoch(
      { ...(epoch === undefined ? {} : { epoch }), readMask: { paths: ['epoch', 'start', 'first_checkpoint'] } },
      { abort: AbortSignal.timeout(CALL_MS) },
    );
    const found = (await call.response).epoch;
    if (found?.epoch === undefined || found.start === undefined || found.firstCheckpoint === undefined) return null;
    return {
      epoch: found.epoch,
      startMs: Number(found.start.seconds) * 1000,
      firstCheckpoint: found.firstCheckpoint,
    };
  } catch (error) {
    if (error instanceof RpcError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

type Predicate = GrpcTypes.TransactionLiteral['predicate'];
/** Which transactions to read: those that a wallet sent, or all that touched its balances. */
const BY = {
  sender: (address: string): Predicate => ({ oneofKind: 'sender', sender: { address } }),
  affected: (address: string): Predicate => ({ oneofKind: 'affectedAddress', affectedAddress: { address } }),
};

interface HistoryPage {
  transactions: PastTransaction[];
  covered: bigint | null;
  /** more: continue behind `cursor` · done: `last` is reached · behind: the index ends earlier. */
  next: 'more' | 'done' | 'behind';
  cursor: Uint8Array | undefined;
}

export class PrunedError extends Error {}

/**
 * One page of the transactions of a wallet between two checkpoints, both included. Requires a first checkpoint: without one, a
 * pruned node would silently begin later. @throws PrunedError
 */
export async function readHistoryPage(
  client: SuiGrpcClient,
  wallet: string,
  {
    first,
    last,
    after,
    by = 'sender',
  }: { first: bigint; last: bigint; after?: Uint8Array | undefined; by?: keyof typeof BY },
): Promise<HistoryPage> {
  const request = {
    readMask: { paths: READ_MASK },
    startCheckpoint: first,
    endCheckpoint: last + 1n,
    filter: { terms: [{ literals: [{ negated: false, predicate: BY[by](wallet) }] }] },
    options: after ? { after } : {},
  };
  const page: HistoryPage = { transactions: [], covered: null, next: 'more', cursor: after };
  let reason: GrpcTypes.QueryEndReason | undefined;
  try {
    const call = client.ledgerService.listTransactions(request, { abort: AbortSignal.timeout(CALL_MS) });
    for await (const { transaction, watermark, end } of call.responses) {
      if (transaction) {
        const result = parseGrpcTransactionResponse(transaction, { include: INCLUDE });
        page.transactions.push(result.Transaction ?? result.FailedTransaction);
      }
      page.covered = watermark?.checkpoint ?? page.covered;
      page.cursor = watermark?.cursor ?? page.cursor;
      reason = end?.reason ?? reason;
    }
  } catch (error) {
    if (error instanceof RpcError && error.code === 'OUT_OF_RANGE') throw new PrunedError(error.message);
    throw error;
  }
  if (reason === undefined) throw new Error('the history ended without a reason');
  if (reason === QueryEndReason.LEDGER_TIP || reason === QueryEndReason.CHECKPOINT_BOUND)
    page.next = page.covered !== null && page.covered >= last ? 'done' : 'behind';
  return page;
}
