import { fromBase64, normalizeSuiAddress, toBase58 } from '@mysten/sui/utils';
import { type CoinObject, sealCoin } from './coins.ts';
import { SUI_TYPE } from './constants.ts';
import { seed } from './digests.ts';
import { TransactionRejected } from './errors.ts';
import type { ObjectStore } from './object-store.ts';
import { type ChainObject, isCoin } from './objects.ts';
import type { DecodedTransaction, ObjectRef } from './transaction-data.ts';

type LoadedInput = { readonly pure: Uint8Array } | { readonly object: ChainObject };

export interface LoadedInputs {
  readonly gas: readonly [CoinObject, ...CoinObject[]];
  readonly inputs: readonly LoadedInput[];
}

export interface LoadOptions {
  /** Placeholders for gas payment that a simulation has not chosen yet. */
  readonly mockGas: boolean;
  /** Off for simulations that asked for no checks. */
  readonly checkOwners: boolean;
}

/** Looks the objects up. Throws TransactionRejected with a validator's text for stale, missing or foreign ones. */
export function loadInputs(store: ObjectStore, transaction: DecodedTransaction, options: LoadOptions): LoadedInputs {
  const { sender, gasData } = transaction.data;
  const seen = new Set<string>();
  const load = (ref: ObjectRef, owner: string): ChainObject => {
    const object = findExact(store, ref);
    if (options.checkOwners) checkOwner(object, owner);
    if (seen.has(object.id))
      throw new TransactionRejected(`Mutable object ${object.id} cannot appear more than one in one transaction`);
    seen.add(object.id);
    return object;
  };
  const [first, ...rest] = options.mockGas
    ? [mockGasCoin(gasData.owner)]
    : gasData.payment.map((ref) => gasCoin(load(ref, gasData.owner)));
  if (!first) throw new TransactionRejected('At least one gas object must be provided in the transaction.');
  const inputs = transaction.programmable.inputs.map((input): LoadedInput => {
    if (input.$kind === 'Pure') return { pure: fromBase64(input.Pure.bytes) };
    if (input.$kind === 'Object' && input.Object.$kind === 'ImmOrOwnedObject')
      return { object: load(input.Object.ImmOrOwnedObject, sender) };
    throw new TransactionRejected('the sandbox chain supports only pure values and owned coins as inputs');
  });
  return { gas: [first, ...rest], inputs };
}

function gasCoin(object: ChainObject): CoinObject {
  if (isCoin(object) && object.coinType === SUI_TYPE) return object;
  throw new TransactionRejected(`Gas object ${object.id} is not a SUI coin`);
}

function findExact(store: ObjectStore, ref: ObjectRef): ChainObject {
  const id = normalizeSuiAddress(ref.objectId);
  const version = BigInt(ref.version);
  const object = store.get(id);
  if (!object || object.version < version)
    throw new TransactionRejected(
      `Could not find the referenced object ${id} at version Some(SequenceNumber(${version}))`,
    );
  if (object.version > version)
    throw new TransactionRejected(
      `Transaction needs to be rebuilt because object ${id} version 0x${version.toString(16)} (${ref.digest}) is unavailable for consumption, current version: 0x${object.version.toString(16)}`,
    );
  if (object.digest !== ref.digest)
    throw new TransactionRejected(`Invalid Object digest for object ${id}. Expected digest : ${object.digest}`);
  return object;
}

function checkOwner(object: ChainObject, owner: string): void {
  if (object.owner !== owner)
    throw new TransactionRejected(
      `Transaction was not signed by the correct sender: Object ${object.id} is owned by account address ${object.owner}, but given owner/signer address is ${owner}`,
    );
}

function mockGasCoin(owner: string): CoinObject {
  const digest = toBase58(seed('mock gas'));
  return sealCoin({
    id: normalizeSuiAddress('0xdead'),
    version: 1n,
    coinType: SUI_TYPE,
    value: 10n ** 18n,
    owner,
    previousTransaction: digest,
    storageRebateMist: 0n,
  });
}
