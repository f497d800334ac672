import {
  MAX_COMMANDS,
  MAX_COMMAND_ARGUMENTS,
  MAX_GAS_BUDGET_MIST,
  MAX_GAS_OBJECTS,
  MAX_INPUT_OBJECTS,
  MAX_TRANSACTION_BYTES,
  MIN_GAS_UNITS,
  REFERENCE_GAS_PRICE_MIST,
} from './constants.ts';
import { readReservation } from './address-balances.ts';
import { TransactionRejected } from './errors.ts';
import { findCall } from './move-calls.ts';
import type { PackageStore } from './packages.ts';
import { whyNotPublished } from './publish.ts';
import type { Command, DecodedTransaction, TransactionData } from './transaction-data.ts';

export interface ChainMoment {
  readonly chainId: string;
  readonly epoch: bigint;
  readonly nowMs: number;
  readonly packages: PackageStore;
}

/** Checks all rules that do not depend on objects. Throws TransactionRejected with a validator's text. */
export function checkValidity(
  transaction: DecodedTransaction,
  moment: ChainMoment,
  { isFinal = true }: { isFinal?: boolean } = {},
): void {
  checkSize(transaction);
  checkSupported(transaction, moment);
  checkGas(transaction.data.gasData);
  checkExpiration(transaction.data.expiration, moment);
  if (isFinal && !isExecutedOnce(transaction))
    throw new TransactionRejected(
      'Invalid transaction expiration: Transactions must either have address-owned inputs, or a ValidDuring expiration with at most two epochs of validity',
    );
}

/** True if an object version that it spends lets it run only once; other transactions are remembered for two epochs. */
export function isExecutedOnce({ data, programmable }: DecodedTransaction): boolean {
  const objects = programmable.inputs.flatMap((input) => input.Object?.ImmOrOwnedObject ?? []);
  if ([...data.gasData.payment, ...objects].some((ref) => readReservation(ref) === null)) return true;
  const window = data.expiration.ValidDuring ?? data.expiration.Validity;
  if (!window || window.minEpoch === null || window.maxEpoch === null) return false;
  return BigInt(window.maxEpoch) - BigInt(window.minEpoch) <= 1n;
}

function checkSize({ bytes, programmable, data }: DecodedTransaction): void {
  limit('serialized transaction size exceeded maximum', bytes.length, MAX_TRANSACTION_BYTES);
  limit('maximum commands in a programmable transaction', programmable.commands.length, MAX_COMMANDS);
  limit('maximum input objects in a transaction', programmable.inputs.length, MAX_INPUT_OBJECTS);
  limit('maximum number of gas payment objects', data.gasData.payment.length, MAX_GAS_OBJECTS);
  for (const command of programmable.commands) {
    const count = argumentCount(command);
    if (count === 0) throw new TransactionRejected('Empty command input');
    limit('maximum arguments in a programmable transaction command', count, MAX_COMMAND_ARGUMENTS);
  }
}

function limit(what: string, actual: number, maximum: number): void {
  if (actual > maximum) throw new TransactionRejected(`Size limit exceeded: ${what} is ${maximum}`);
}

function argumentCount(command: Command): number {
  switch (command.$kind) {
    case 'SplitCoins':
      return command.SplitCoins.amounts.length;
    case 'MergeCoins':
      return command.MergeCoins.sources.length;
    case 'TransferObjects':
      return command.TransferObjects.objects.length;
    default:
      return 1;
  }
}

function checkSupported({ programmable }: DecodedTransaction, { packages }: ChainMoment): void {
  for (const command of programmable.commands) {
    if (command.$kind === 'MoveCall') {
      const { package: packageId, module, function: name } = command.MoveCall;
      if (!findCall(command.MoveCall, packages))
        throw new TransactionRejected(
          `the sandbox chain has no Move VM and cannot call ${packageId}::${module}::${name}`,
        );
    } else if (command.$kind === 'Publish') {
      const reason = whyNotPublished(command.Publish);
      if (reason !== null) throw new TransactionRejected(reason);
    } else if (command.$kind === 'Upgrade' || command.$kind === 'MakeMoveVec') {
      throw new TransactionRejected(`the sandbox chain has no Move VM and cannot run ${command.$kind}`);
    }
  }
  for (const input of programmable.inputs) {
    if (input.$kind === 'FundsWithdrawal' && !input.FundsWithdrawal.withdrawFrom.Sender)
      throw new TransactionRejected('the sandbox chain withdraws from the balance of the sender only');
    if (input.$kind === 'Object' && input.Object.$kind === 'Receiving')
      throw new TransactionRejected('the sandbox chain receives no objects');
    if (input.$kind === 'Object' && input.Object.SharedObject?.mutable === false)
      throw new TransactionRejected('the sandbox chain takes shared objects to change them only');
  }
}

function checkGas(gas: TransactionData['gasData']): void {
  const price = BigInt(gas.price);
  const budget = BigInt(gas.budget);
  if (price < REFERENCE_GAS_PRICE_MIST)
    throw new TransactionRejected(`Gas price ${price} under reference gas price (RGP) ${REFERENCE_GAS_PRICE_MIST}`);
  if (budget > MAX_GAS_BUDGET_MIST)
    throw new TransactionRejected(`Gas budget: ${budget} is higher than max: ${MAX_GAS_BUDGET_MIST}`);
  const minimum = MIN_GAS_UNITS * price;
  if (budget < minimum) throw new TransactionRejected(`Gas budget: ${budget} is lower than min: ${minimum}`);
}

function checkExpiration(expiration: TransactionData['expiration'], moment: ChainMoment): void {
  if (expiration.$kind === 'None') return;
  if (expiration.$kind === 'Epoch') {
    if (BigInt(expiration.Epoch) < moment.epoch) throw new TransactionRejected('Transaction Expired');
    return;
  }
  const window = expiration.$kind === 'ValidDuring' ? expiration.ValidDuring : expiration.Validity;
  if (window.chain !== moment.chainId)
    throw new TransactionRejected(
      `Transaction chain ID ${window.chain} does not match network chain ID ${moment.chainId}.`,
    );
  if (
    isOutside(moment.epoch, window.minEpoch, window.maxEpoch) ||
    isOutside(BigInt(moment.nowMs), window.minTimestamp, window.maxTimestamp)
  )
    throw new TransactionRejected('Transaction Expired');
}

function isOutside(now: bigint, from: string | null, to: string | null): boolean {
  return (from !== null && now < BigInt(from)) || (to !== null && now > BigInt(to));
}
