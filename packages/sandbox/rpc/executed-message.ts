import { GrpcTypes } from '@mysten/sui/grpc';
import { fromBase64, normalizeStructTag } from '@mysten/sui/utils';
import { accumulatorId, balanceType, type FundsChange } from '../ledger/address-balances.ts';
import { encodeEffects } from '../ledger/effects.ts';
import { encodeEvents } from '../ledger/events.ts';
import type { Execution } from '../ledger/execute.ts';
import type { ArgumentError, ExecutionFailure } from '../ledger/failures.ts';
import type { ObjectChange } from '../ledger/object-store.ts';
import { typeOf } from '../ledger/objects.ts';
import { type PackageWrite, packageWrites } from '../ledger/package-writes.ts';
import { ownerMessage } from './object-message.ts';
import { transactionMessage } from './transaction-message.ts';

const {
  ChangedObject_InputObjectState: InputState,
  ChangedObject_OutputObjectState: OutputState,
  ChangedObject_IdOperation: IdOperation,
  AccumulatorWrite_AccumulatorOperation: Operation,
  ExecutionError_ExecutionErrorKind: ErrorKind,
  CommandArgumentError_CommandArgumentErrorKind: ArgumentErrorKind,
} = GrpcTypes;

/** An execution in a full node's response, without the checkpoint and time that only reads know. */
export function executedMessage(execution: Execution, signatures: readonly string[]): GrpcTypes.ExecutedTransaction {
  return GrpcTypes.ExecutedTransaction.create({
    digest: execution.transaction.digest,
    transaction: transactionMessage(execution.transaction),
    signatures: signatures.map((signature) => ({
      bcs: { name: 'UserSignature', value: fromBase64(signature) },
      signature: { oneofKind: undefined },
    })),
    effects: effectsMessage(execution),
    events: eventsMessage(execution),
    balanceChanges: execution.balanceChanges.map((change) => ({ ...change, amount: change.amount.toString() })),
  });
}

function eventsMessage({ events, transaction }: Execution): GrpcTypes.TransactionEvents | undefined {
  const { sender } = transaction.data;
  const encoded = encodeEvents(events, sender);
  if (!encoded) return undefined;
  return GrpcTypes.TransactionEvents.create({
    bcs: { name: 'TransactionEvents', value: encoded.bytes },
    digest: encoded.digest,
    events: events.map(({ packageId, module, type, contents }) => {
      const value = { name: type, value: contents };
      return { packageId, module, sender, eventType: type, contents: value };
    }),
  });
}

function effectsMessage(execution: Execution): GrpcTypes.TransactionEffects {
  const { bytes, digest } = encodeEffects(execution);
  const published = packageWrites(execution.packages, execution.transaction.digest).map(packageMessage);
  const changedObjects = [...execution.changes.map(changeMessage), ...execution.funds.map(fundsMessage), ...published];
  changedObjects.sort((a, b) => ((a.objectId ?? '') < (b.objectId ?? '') ? -1 : 1));
  return GrpcTypes.TransactionEffects.create({
    bcs: { name: 'TransactionEffects', value: bytes },
    digest,
    version: 2,
    status: execution.failure
      ? { success: false, error: errorMessage(execution.failure) }
      : { success: true, error: undefined },
    epoch: execution.epoch,
    gasUsed: execution.gas,
    transactionDigest: execution.transaction.digest,
    gasObject: changedObjects.find((change) => change.objectId === execution.gasObjectId),
    eventsDigest: encodeEvents(execution.events, execution.transaction.data.sender)?.digest,
    dependencies: [...execution.dependencies],
    lamportVersion: execution.lamportVersion,
    changedObjects,
  });
}

function changeMessage({ id, before, after }: ObjectChange): GrpcTypes.ChangedObject {
  const object = after ?? before;
  return {
    objectId: id,
    inputState: before ? InputState.EXISTS : InputState.DOES_NOT_EXIST,
    inputVersion: before?.version,
    inputDigest: before?.digest,
    inputOwner: before ? ownerMessage(before.owner) : undefined,
    outputState: after ? OutputState.OBJECT_WRITE : OutputState.DOES_NOT_EXIST,
    outputVersion: after?.version,
    outputDigest: after?.digest,
    outputOwner: after ? ownerMessage(after.owner) : undefined,
    idOperation: idOperation(before !== null, after !== null),
    objectType: object ? typeOf(object) : undefined,
  };
}

function fundsMessage({ address, coinType, amount }: FundsChange): GrpcTypes.ChangedObject {
  return {
    objectId: accumulatorId(address, coinType),
    inputState: InputState.DOES_NOT_EXIST,
    outputState: OutputState.ACCUMULATOR_WRITE,
    idOperation: IdOperation.NONE,
    accumulatorWrite: {
      address,
      accumulatorType: normalizeStructTag(balanceType(coinType)),
      operation: amount > 0n ? Operation.MERGE : Operation.SPLIT,
      valueKind: GrpcTypes.AccumulatorWrite_AccumulatorValue.INTEGER,
      integerValue: amount > 0n ? amount : -amount,
      integerTuple: [],
      eventDigestValue: [],
    },
  };
}

function packageMessage({ id, version, digest }: PackageWrite): GrpcTypes.ChangedObject {
  return {
    objectId: id,
    inputState: InputState.DOES_NOT_EXIST,
    outputState: OutputState.PACKAGE_WRITE,
    outputVersion: version,
    outputDigest: digest,
    outputOwner: { kind: GrpcTypes.Owner_OwnerKind.IMMUTABLE },
    idOperation: IdOperation.CREATED,
    objectType: 'package',
  };
}

function idOperation(existed: boolean, exists: boolean) {
  if (existed && exists) return IdOperation.NONE;
  return exists ? IdOperation.CREATED : IdOperation.DELETED;
}

function errorMessage(failure: ExecutionFailure): GrpcTypes.ExecutionError {
  return GrpcTypes.ExecutionError.create({
    description: failure.message,
    command: failure.command === null ? undefined : BigInt(failure.command),
    ...errorKind(failure),
  });
}

type KindAndDetails = Pick<GrpcTypes.ExecutionError, 'kind' | 'errorDetails'>;

function errorKind({ status }: ExecutionFailure): KindAndDetails {
  const none: GrpcTypes.ExecutionError['errorDetails'] = { oneofKind: undefined };
  if ('InsufficientGas' in status) return { kind: ErrorKind.INSUFFICIENT_GAS, errorDetails: none };
  if ('InsufficientCoinBalance' in status) return { kind: ErrorKind.INSUFFICIENT_COIN_BALANCE, errorDetails: none };
  if ('CoinBalanceOverflow' in status) return { kind: ErrorKind.COIN_BALANCE_OVERFLOW, errorDetails: none };
  if ('ArityMismatch' in status) return { kind: ErrorKind.ARITY_MISMATCH, errorDetails: none };
  if ('VMVerificationOrDeserializationError' in status)
    return { kind: ErrorKind.VM_VERIFICATION_OR_DESERIALIZATION_ERROR, errorDetails: none };
  if ('UnusedValueWithoutDrop' in status) {
    const { resultIdx: result, secondaryIdx: subresult } = status.UnusedValueWithoutDrop;
    const indexError = { index: result, subresult };
    return { kind: ErrorKind.UNUSED_VALUE_WITHOUT_DROP, errorDetails: { oneofKind: 'indexError', indexError } };
  }
  if ('AddressDeniedForCoin' in status) {
    const coinDenyListError = status.AddressDeniedForCoin;
    return {
      kind: ErrorKind.ADDRESS_DENIED_FOR_COIN,
      errorDetails: { oneofKind: 'coinDenyListError', coinDenyListError },
    };
  }
  if ('MoveAbort' in status) {
    const [at, abortCode] = status.MoveAbort;
    const location = { ...at, package: `0x${at.module.address}`, module: at.module.name };
    return { kind: ErrorKind.MOVE_ABORT, errorDetails: { oneofKind: 'abort', abort: { abortCode, location } } };
  }
  const { argIdx, kind } = status.CommandArgumentError;
  const commandArgumentError = { argument: argIdx, ...argumentError(kind) };
  return {
    kind: ErrorKind.COMMAND_ARGUMENT_ERROR,
    errorDetails: { oneofKind: 'commandArgumentError', commandArgumentError },
  };
}

function argumentError(fault: ArgumentError): Omit<GrpcTypes.CommandArgumentError, 'argument'> {
  if ('TypeMismatch' in fault) return { kind: ArgumentErrorKind.TYPE_MISMATCH };
  if ('InvalidBCSBytes' in fault) return { kind: ArgumentErrorKind.INVALID_BCS_BYTES };
  if ('InvalidTransferObject' in fault) return { kind: ArgumentErrorKind.INVALID_TRANSFER_OBJECT };
  if ('InvalidGasCoinUsage' in fault) return { kind: ArgumentErrorKind.INVALID_GAS_COIN_USAGE };
  if ('ArgumentWithoutValue' in fault) return { kind: ArgumentErrorKind.ARGUMENT_WITHOUT_VALUE };
  if ('IndexOutOfBounds' in fault)
    return { kind: ArgumentErrorKind.INDEX_OUT_OF_BOUNDS, indexError: { index: fault.IndexOutOfBounds.idx } };
  if ('InvalidResultArity' in fault)
    return { kind: ArgumentErrorKind.INVALID_RESULT_ARITY, indexError: { index: fault.InvalidResultArity.resultIdx } };
  const { resultIdx: index, secondaryIdx: subresult } = fault.SecondaryIndexOutOfBounds;
  return { kind: ArgumentErrorKind.SECONDARY_INDEX_OUT_OF_BOUNDS, indexError: { index, subresult } };
}
