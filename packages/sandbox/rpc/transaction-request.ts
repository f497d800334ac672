import type { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeSuiAddress, toBase64 } from '@mysten/sui/utils';
import { MAX_GAS_BUDGET_MIST, REFERENCE_GAS_PRICE_MIST } from '../ledger/constants.ts';
import { invalidArgument } from '../ledger/errors.ts';
import type { ObjectStore } from '../ledger/object-store.ts';
import { readOwner } from '../ledger/owner.ts';
import type { TransactionDataInput } from '../ledger/transaction-data.ts';
import { requireAddress } from './requests.ts';

type CallArgInput = typeof bcs.CallArg.$inferInput;
type CommandInput = typeof bcs.Command.$inferInput;
type ArgumentInput = { GasCoin: true } | { Input: number } | { Result: number } | { NestedResult: [number, number] };

const { Argument_ArgumentKind: ArgumentKind, Input_InputKind: InputKind } = GrpcTypes;
const { TransactionExpiration_TransactionExpirationKind: ExpirationKind } = GrpcTypes;

/** Completes a transaction without BCS: with the present versions, the reference gas price and the largest budget. */
export function resolveTransaction(objects: ObjectStore, request: GrpcTypes.Transaction): TransactionDataInput {
  const data = request.kind?.data;
  if (data?.oneofKind !== 'programmableTransaction')
    throw invalidArgument('transaction.kind: missing programmable transaction');
  const sender = requireAddress(request.sender, 'transaction.sender');
  const gas = request.gasPayment;
  return {
    kind: {
      ProgrammableTransaction: {
        inputs: data.programmableTransaction.inputs.map((input) => resolveInput(objects, input)),
        commands: data.programmableTransaction.commands.map(commandInput),
      },
    },
    sender,
    gasData: {
      owner: gas?.owner ? requireAddress(gas.owner, 'transaction.gas_payment.owner') : sender,
      price: gas?.price ?? REFERENCE_GAS_PRICE_MIST,
      budget: gas?.budget ?? MAX_GAS_BUDGET_MIST,
      payment: (gas?.objects ?? []).map((reference) => resolveReference(objects, reference)),
    },
    expiration: expirationInput(request.expiration),
  };
}

function resolveReference(objects: ObjectStore, reference: { objectId?: string; version?: bigint; digest?: string }) {
  const objectId = requireAddress(reference.objectId, 'object_id');
  const live = objects.get(objectId);
  const version = reference.version ?? live?.version;
  const digest = reference.digest ?? live?.digest;
  if (version === undefined || digest === undefined) throw invalidArgument(`Object ${objectId} not found`);
  return { objectId, version, digest };
}

function resolveInput(objects: ObjectStore, input: GrpcTypes.Input): CallArgInput {
  if (input.pure && (input.kind === InputKind.PURE || !input.kind)) return { Pure: { bytes: input.pure } };
  if (input.kind === InputKind.FUNDS_WITHDRAWAL) {
    const { amount, coinType, source } = input.fundsWithdrawal ?? {};
    if (amount === undefined || !coinType || source !== GrpcTypes.FundsWithdrawal_Source.SENDER)
      throw invalidArgument('the sandbox chain withdraws from the balance of the sender only');
    return {
      FundsWithdrawal: {
        reservation: { MaxAmountU64: amount },
        typeArg: { Balance: coinType },
        withdrawFrom: { Sender: true },
      },
    };
  }
  const shared = sharedSince(objects, input);
  if (shared !== null && input.objectId) {
    const { objectId, mutable = true } = input;
    return { Object: { SharedObject: { objectId, initialSharedVersion: shared, mutable } } };
  }
  const isOwned = !input.kind || input.kind === InputKind.IMMUTABLE_OR_OWNED;
  if (!isOwned || !input.objectId)
    throw invalidArgument('the sandbox chain supports only pure values, owned and shared objects as inputs');
  return { Object: { ImmOrOwnedObject: resolveReference(objects, input) } };
}

/** Version since which an input is shared; null for others. A request without a kind means the object as it is. */
function sharedSince(objects: ObjectStore, { kind, objectId, version }: GrpcTypes.Input): bigint | null {
  if (kind === InputKind.SHARED && version !== undefined) return version;
  const owner = kind ? undefined : objects.get(normalizeSuiAddress(objectId ?? ''))?.owner;
  const read = owner === undefined ? null : readOwner(owner);
  return read && 'sharedSince' in read ? read.sharedSince : null;
}

function argumentInput(argument: GrpcTypes.Argument | undefined): ArgumentInput {
  if (argument?.kind === ArgumentKind.GAS) return { GasCoin: true };
  if (argument?.kind === ArgumentKind.INPUT && argument.input !== undefined) return { Input: argument.input };
  if (argument?.kind === ArgumentKind.RESULT && argument.result !== undefined)
    return argument.subresult === undefined
      ? { Result: argument.result }
      : { NestedResult: [argument.result, argument.subresult] };
  throw invalidArgument('transaction.kind: malformed argument');
}

function commandInput({ command }: GrpcTypes.Command): CommandInput {
  switch (command.oneofKind) {
    case 'splitCoins':
      return {
        SplitCoins: {
          coin: argumentInput(command.splitCoins.coin),
          amounts: command.splitCoins.amounts.map(argumentInput),
        },
      };
    case 'mergeCoins':
      return {
        MergeCoins: {
          destination: argumentInput(command.mergeCoins.coin),
          sources: command.mergeCoins.coinsToMerge.map(argumentInput),
        },
      };
    case 'transferObjects':
      return {
        TransferObjects: {
          objects: command.transferObjects.objects.map(argumentInput),
          address: argumentInput(command.transferObjects.address),
        },
      };
    case 'publish': {
      const { modules, dependencies } = command.publish;
      const ids = dependencies.map((id) => requireAddress(id, 'publish.dependencies'));
      return { Publish: { modules: modules.map((module) => toBase64(module)), dependencies: ids } };
    }
    case 'moveCall': {
      const { package: packageId, module = '', function: name = '', typeArguments } = command.moveCall;
      return {
        MoveCall: {
          package: normalizeSuiAddress(requireAddress(packageId, 'move_call.package')),
          module,
          function: name,
          typeArguments,
          arguments: command.moveCall.arguments.map(argumentInput),
        },
      };
    }
    default:
      throw invalidArgument(
        `the sandbox chain has no Move VM and cannot run ${command.oneofKind ?? 'an unknown command'}`,
      );
  }
}

function expirationInput(expiration: GrpcTypes.TransactionExpiration | undefined): TransactionDataInput['expiration'] {
  if (!expiration?.kind || expiration.kind === ExpirationKind.NONE) return { None: true };
  if (expiration.kind === ExpirationKind.EPOCH) return { Epoch: Number(expiration.epoch ?? 0n) };
  const window = {
    minEpoch: expiration.minEpoch ?? null,
    maxEpoch: expiration.epoch ?? null,
    minTimestamp: millisecondsOf(expiration.minTimestamp),
    maxTimestamp: millisecondsOf(expiration.maxTimestamp),
    chain: expiration.chain ?? '',
    nonce: expiration.nonce ?? 0,
  };
  if (expiration.kind === ExpirationKind.VALID_DURING) return { ValidDuring: window };
  const allowed = expiration.allowedProposers;
  const allowedProposers = allowed ? { epoch: allowed.epoch ?? 0n, proposers: allowed.proposers } : null;
  return { Validity: { ...window, allowedProposers } };
}

function millisecondsOf(timestamp: { seconds: bigint; nanos: number } | undefined): bigint | null {
  return timestamp ? timestamp.seconds * 1000n + BigInt(Math.floor(timestamp.nanos / 1_000_000)) : null;
}
