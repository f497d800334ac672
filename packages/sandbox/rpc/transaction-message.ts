import { GrpcTypes } from '@mysten/sui/grpc';
import { fromBase64 } from '@mysten/sui/utils';
import type { Argument, CallArg, Command, DecodedTransaction, TransactionData } from '../ledger/transaction-data.ts';
import { timestampOf } from './requests.ts';

const { Argument_ArgumentKind: ArgumentKind, Input_InputKind: InputKind } = GrpcTypes;
const { TransactionExpiration_TransactionExpirationKind: ExpirationKind } = GrpcTypes;

export function transactionMessage({ bytes, digest, data, programmable }: DecodedTransaction): GrpcTypes.Transaction {
  const { gasData } = data;
  return GrpcTypes.Transaction.create({
    bcs: { name: 'TransactionData', value: bytes },
    digest,
    version: 1,
    kind: {
      kind: GrpcTypes.TransactionKind_Kind.PROGRAMMABLE_TRANSACTION,
      data: {
        oneofKind: 'programmableTransaction',
        programmableTransaction: {
          inputs: programmable.inputs.map(inputMessage),
          commands: programmable.commands.map(commandMessage),
        },
      },
    },
    sender: data.sender,
    gasPayment: {
      objects: gasData.payment.map((ref) => ({ ...ref, version: BigInt(ref.version) })),
      owner: gasData.owner,
      price: BigInt(gasData.price),
      budget: BigInt(gasData.budget),
    },
    expiration: expirationMessage(data.expiration),
  });
}

/** Other inputs and commands were refused earlier (see checkValidity). */
function inputMessage(input: CallArg): GrpcTypes.Input {
  if (input.$kind === 'Pure') return { kind: InputKind.PURE, pure: fromBase64(input.Pure.bytes) };
  if (input.$kind === 'FundsWithdrawal') {
    const { reservation, typeArg } = input.FundsWithdrawal;
    const fundsWithdrawal = {
      amount: BigInt(reservation.MaxAmountU64),
      coinType: typeArg.Balance,
      source: GrpcTypes.FundsWithdrawal_Source.SENDER,
    };
    return { kind: InputKind.FUNDS_WITHDRAWAL, fundsWithdrawal };
  }
  if (input.Object?.SharedObject) {
    const { objectId, initialSharedVersion, mutable } = input.Object.SharedObject;
    return { kind: InputKind.SHARED, objectId, version: BigInt(initialSharedVersion), mutable };
  }
  if (input.$kind !== 'Object' || input.Object.$kind !== 'ImmOrOwnedObject')
    throw new TypeError(`an input of kind ${input.$kind} has no message form here`);
  const { objectId, version, digest } = input.Object.ImmOrOwnedObject;
  return { kind: InputKind.IMMUTABLE_OR_OWNED, objectId, version: BigInt(version), digest };
}

function argumentMessage(argument: Argument): GrpcTypes.Argument {
  switch (argument.$kind) {
    case 'GasCoin':
      return { kind: ArgumentKind.GAS };
    case 'Input':
      return { kind: ArgumentKind.INPUT, input: argument.Input };
    case 'Result':
      return { kind: ArgumentKind.RESULT, result: argument.Result };
    default:
      return { kind: ArgumentKind.RESULT, result: argument.NestedResult[0], subresult: argument.NestedResult[1] };
  }
}

function commandMessage(command: Command): GrpcTypes.Command {
  switch (command.$kind) {
    case 'SplitCoins': {
      const { coin, amounts } = command.SplitCoins;
      const splitCoins = { coin: argumentMessage(coin), amounts: amounts.map(argumentMessage) };
      return { command: { oneofKind: 'splitCoins', splitCoins } };
    }
    case 'MergeCoins': {
      const { destination, sources } = command.MergeCoins;
      const mergeCoins = { coin: argumentMessage(destination), coinsToMerge: sources.map(argumentMessage) };
      return { command: { oneofKind: 'mergeCoins', mergeCoins } };
    }
    case 'TransferObjects': {
      const { objects, address } = command.TransferObjects;
      const transferObjects = { objects: objects.map(argumentMessage), address: argumentMessage(address) };
      return { command: { oneofKind: 'transferObjects', transferObjects } };
    }
    case 'Publish': {
      const publish = { modules: command.Publish.modules.map(fromBase64), dependencies: command.Publish.dependencies };
      return { command: { oneofKind: 'publish', publish } };
    }
    case 'MoveCall': {
      const moveCall = { ...command.MoveCall, arguments: command.MoveCall.arguments.map(argumentMessage) };
      return { command: { oneofKind: 'moveCall', moveCall } };
    }
    default:
      throw new TypeError(`a command of kind ${command.$kind} has no message form here`);
  }
}

function expirationMessage(expiration: TransactionData['expiration']): GrpcTypes.TransactionExpiration {
  if (expiration.$kind === 'None') return { kind: ExpirationKind.NONE };
  if (expiration.$kind === 'Epoch') return { kind: ExpirationKind.EPOCH, epoch: BigInt(expiration.Epoch) };
  const isValidDuring = expiration.$kind === 'ValidDuring';
  const window = isValidDuring ? expiration.ValidDuring : expiration.Validity;
  const proposers = isValidDuring ? null : expiration.Validity.allowedProposers;
  const epoch = (value: string | null) => (value === null ? undefined : BigInt(value));
  const time = (value: string | null) => (value === null ? undefined : timestampOf(Number(value)));
  return {
    kind: isValidDuring ? ExpirationKind.VALID_DURING : ExpirationKind.VALIDITY,
    minEpoch: epoch(window.minEpoch),
    epoch: epoch(window.maxEpoch),
    minTimestamp: time(window.minTimestamp),
    maxTimestamp: time(window.maxTimestamp),
    chain: window.chain,
    nonce: window.nonce,
    allowedProposers: proposers ? { ...proposers, epoch: BigInt(proposers.epoch) } : undefined,
  };
}
