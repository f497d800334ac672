import { GrpcTypes } from '@mysten/sui/grpc';
import type { Chain, TransactionRecord } from '../ledger/chain.ts';
import {
  EPOCH_DURATION_MS,
  FIRST_EPOCH,
  MAX_COMMANDS,
  MAX_GAS_BUDGET_MIST,
  MAX_TRANSACTION_BYTES,
  PROTOCOL_VERSION,
  REFERENCE_GAS_PRICE_MIST,
} from '../ledger/constants.ts';
import { invalidArgument, notFound, RpcFailure } from '../ledger/errors.ts';
import { executedMessage } from './executed-message.ts';
import { applyMask } from './field-mask.ts';
import { type MethodTable, unary } from './method.ts';
import { objectMessage } from './object-message.ts';
import { requireAddress, requireDigest, timestampOf } from './requests.ts';

const SERVICE = 'sui.rpc.v2.LedgerService';
const OBJECT_MASK = ['object_id', 'version', 'digest'];
export const TRANSACTION_MASK = ['digest'];
const EPOCH_MASK = ['epoch', 'start', 'reference_gas_price', 'protocol_config.protocol_version'];
const CHECKPOINT_MASK = ['sequence_number', 'digest'];
const MAX_BATCH = 200;

export function ledgerService(chain: Chain): MethodTable {
  return {
    [`${SERVICE}/GetServiceInfo`]: unary(GrpcTypes.GetServiceInfoRequest, GrpcTypes.GetServiceInfoResponse, () => ({
      chainId: chain.chainId,
      chain: 'unknown',
      epoch: chain.moment().epoch,
      checkpointHeight: chain.checkpoint,
      timestamp: timestampOf(Date.now()),
      lowestAvailableCheckpoint: chain.lowestCheckpoint,
      lowestAvailableCheckpointObjects: chain.lowestCheckpoint,
      server: 'sui-sandbox/1.0.0',
    })),
    [`${SERVICE}/GetEpoch`]: unary(GrpcTypes.GetEpochRequest, GrpcTypes.GetEpochResponse, (request) => ({
      epoch: applyMask(GrpcTypes.Epoch, epochMessage(chain, request.epoch), request.readMask, EPOCH_MASK),
    })),
    [`${SERVICE}/GetCheckpoint`]: unary(
      GrpcTypes.GetCheckpointRequest,
      GrpcTypes.GetCheckpointResponse,
      ({ checkpointId, readMask }) => ({
        checkpoint: applyMask(GrpcTypes.Checkpoint, checkpointMessage(chain, checkpointId), readMask, CHECKPOINT_MASK),
      }),
    ),
    [`${SERVICE}/GetObject`]: unary(GrpcTypes.GetObjectRequest, GrpcTypes.GetObjectResponse, (request) => ({
      object: readObject(chain, request, request.readMask),
    })),
    [`${SERVICE}/BatchGetObjects`]: unary(
      GrpcTypes.BatchGetObjectsRequest,
      GrpcTypes.BatchGetObjectsResponse,
      ({ requests, readMask }) => {
        if (requests.length > MAX_BATCH) throw invalidArgument(`number of batch requests exceed limit of ${MAX_BATCH}`);
        return { objects: requests.map((request) => objectResult(() => readObject(chain, request, readMask))) };
      },
    ),
    [`${SERVICE}/GetTransaction`]: unary(
      GrpcTypes.GetTransactionRequest,
      GrpcTypes.GetTransactionResponse,
      ({ digest, readMask }) => ({ transaction: readTransaction(chain, digest, readMask) }),
    ),
  };
}

type Mask = { paths: string[] } | undefined;

function readObject(chain: Chain, request: GrpcTypes.GetObjectRequest, mask: Mask): GrpcTypes.Object {
  const objectId = requireAddress(request.objectId, 'object_id');
  const coin = chain.objects.get(objectId);
  if (request.version !== undefined && coin?.version !== request.version)
    throw notFound(`Object ${objectId} with version ${request.version} not found`);
  if (!coin) throw notFound(`Object ${objectId} not found`);
  return applyMask(GrpcTypes.Object, objectMessage(coin), mask, OBJECT_MASK);
}

/** A rejection becomes the status of its item and does not affect the others. */
function objectResult(look: () => GrpcTypes.Object): GrpcTypes.GetObjectResult {
  try {
    return { result: { oneofKind: 'object', object: look() } };
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return { result: { oneofKind: 'error', error: { code: error.code, message: error.message, details: [] } } };
  }
}

function readTransaction(chain: Chain, digest: string | undefined, mask: Mask): GrpcTypes.ExecutedTransaction {
  const wanted = requireDigest(digest);
  const record = chain.find(wanted);
  const state = record ? chain.indexState(record) : 'unknown';
  if (!record || state === 'unknown') throw notFound(`Transaction ${wanted} not found`);
  const message = recordMessage(record, state === 'indexed');
  return applyMask(GrpcTypes.ExecutedTransaction, message, mask, TRANSACTION_MASK);
}

/** Before a node has indexed a transaction, it knows neither its checkpoint and time nor its balance changes. */
export function recordMessage(record: TransactionRecord, isIndexed: boolean): GrpcTypes.ExecutedTransaction {
  const message = executedMessage(record.execution, record.signatures);
  if (!isIndexed) return { ...message, balanceChanges: [] };
  return {
    ...message,
    checkpoint: record.checkpoint,
    timestamp: timestampOf(record.timestampMs),
    transactionIndex: 0n,
  };
}

/** Finds checkpoints by number only, and returns only their time. */
function checkpointMessage(chain: Chain, id: GrpcTypes.GetCheckpointRequest['checkpointId']): GrpcTypes.Checkpoint {
  const wanted = id.oneofKind === 'sequenceNumber' ? id.sequenceNumber : chain.checkpoint;
  if (id.oneofKind === 'digest') throw invalidArgument('the sandbox finds checkpoints by their number');
  if (wanted < chain.lowestCheckpoint || wanted > chain.checkpoint) throw notFound(`Checkpoint ${wanted} not found`);
  return GrpcTypes.Checkpoint.create({
    sequenceNumber: wanted,
    summary: { sequenceNumber: wanted, timestamp: timestampOf(chain.at(wanted)?.timestampMs ?? chain.startedAtMs) },
  });
}

function epochMessage(chain: Chain, wanted: bigint | undefined): GrpcTypes.Epoch {
  const current = chain.moment().epoch;
  const epoch = wanted ?? current;
  if (epoch < FIRST_EPOCH || epoch > current) throw notFound(`Epoch ${epoch} not found`);
  const startMs = chain.epochStartMs(epoch);
  return GrpcTypes.Epoch.create({
    epoch,
    firstCheckpoint: chain.firstCheckpointOf(epoch),
    referenceGasPrice: REFERENCE_GAS_PRICE_MIST,
    start: timestampOf(startMs),
    systemState: {
      version: 2n,
      epoch,
      protocolVersion: PROTOCOL_VERSION,
      referenceGasPrice: REFERENCE_GAS_PRICE_MIST,
      epochStartTimestampMs: BigInt(startMs),
      safeMode: false,
      parameters: { epochDurationMs: BigInt(EPOCH_DURATION_MS) },
    },
    protocolConfig: {
      protocolVersion: PROTOCOL_VERSION,
      featureFlags: {},
      attributes: {
        max_programmable_tx_commands: String(MAX_COMMANDS),
        max_tx_gas: String(MAX_GAS_BUDGET_MIST),
        max_tx_size_bytes: String(MAX_TRANSACTION_BYTES),
      },
    },
  });
}
