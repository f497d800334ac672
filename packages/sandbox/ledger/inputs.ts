import { fromBase64, normalizeStructTag, normalizeSuiAddress, toBase58 } from '@mysten/sui/utils';
import { accumulatorId, type AddressBalances, netOf, readReservation, reservationRef } from './address-balances.ts';
import { type CoinObject, sealCoin } from './coins.ts';
import { SUI_TYPE } from './constants.ts';
import { seed } from './digests.ts';
import { TransactionRejected } from './errors.ts';
import type { ObjectStore } from './object-store.ts';
import { readOwner } from './owner.ts';
import type { PackageStore } from './packages.ts';
import { type ChainObject, isCoin } from './objects.ts';
import type { DecodedTransaction, ObjectRef } from './transaction-data.ts';

export interface Withdrawal {
  readonly coinType: string;
  readonly amount: bigint;
}

type LoadedInput =
  | { readonly pure: Uint8Array }
  | { readonly object: ChainObject }
  | { readonly withdrawal: Withdrawal };

export interface LoadedInputs {
  readonly gas: readonly CoinObject[];
  /** The part of the gas coin that comes from the owner's address balance; null: that balance pays the gas, and no coin. */
  readonly reservedGasMist: bigint | null;
  readonly budgetMist: bigint;
  readonly inputs: readonly LoadedInput[];
}

/** The state of a chain that transactions read. */
export interface ChainState {
  readonly chainId: string;
  readonly objects: ObjectStore;
  readonly addressBalances: AddressBalances;
  readonly packages: PackageStore;
}

export interface LoadOptions {
  /** Placeholders for gas payment that a simulation has not chosen yet. */
  readonly mockGas: boolean;
  /** Off for simulations that asked for no checks. */
  readonly checkOwners: boolean;
  readonly epoch: bigint;
  /** Addresses that may receive SUI only, like those on the deny list of a regulated coin. */
  readonly denied: ReadonlySet<string>;
}

/** Looks the objects up. Throws TransactionRejected with a validator's text for stale, missing or foreign ones. */
export function loadInputs(chain: ChainState, transaction: DecodedTransaction, options: LoadOptions): LoadedInputs {
  const { sender, gasData } = transaction.data;
  const seen = new Set<string>();
  const load = (ref: ObjectRef, owner: string): ChainObject => {
    const object = findExact(chain.objects, ref);
    if (options.checkOwners) checkOwner(object, owner);
    return once(object);
  };
  const once = (object: ChainObject): ChainObject => {
    if (seen.has(object.id))
      throw new TransactionRejected(`Mutable object ${object.id} cannot appear more than one in one transaction`);
    seen.add(object.id);
    return object;
  };
  const refs = gasData.payment.filter((ref) => readReservation(ref) === null);
  const gas = options.mockGas ? [mockGasCoin(gasData.owner)] : refs.map((ref) => gasCoin(load(ref, gasData.owner)));
  const reservedGasMist = options.mockGas ? 0n : reservedGas(chain, transaction, options);
  const inputs = transaction.programmable.inputs.map((input): LoadedInput => {
    if (input.$kind === 'Pure') return { pure: fromBase64(input.Pure.bytes) };
    if (input.$kind === 'FundsWithdrawal') return { withdrawal: readWithdrawal(input.FundsWithdrawal) };
    if (input.$kind === 'Object' && input.Object.$kind === 'ImmOrOwnedObject')
      return { object: load(input.Object.ImmOrOwnedObject, sender) };
    if (input.$kind === 'Object' && input.Object.$kind === 'SharedObject')
      return { object: once(findShared(chain.objects, input.Object.SharedObject)) };
    throw new TransactionRejected('the sandbox chain supports only pure values, owned and shared objects as inputs');
  });
  const withdrawals = inputs.flatMap((input) =>
    'withdrawal' in input ? [{ owner: sender, ...input.withdrawal }] : [],
  );
  const ofGas = { owner: gasData.owner, coinType: SUI_TYPE, amount: reservedGasMist ?? BigInt(gasData.budget) };
  checkReservations(chain.addressBalances, options.mockGas ? withdrawals : [...withdrawals, ofGas]);
  return { gas, reservedGasMist, budgetMist: BigInt(gasData.budget), inputs };
}

type WithdrawalArg = NonNullable<DecodedTransaction['programmable']['inputs'][number]['FundsWithdrawal']>;

const readWithdrawal = ({ reservation, typeArg }: WithdrawalArg): Withdrawal => ({
  coinType: normalizeStructTag(typeArg.Balance),
  amount: BigInt(reservation.MaxAmountU64),
});

function reservedGas(
  { chainId }: ChainState,
  { data: { gasData } }: DecodedTransaction,
  { epoch }: LoadOptions,
): bigint | null {
  if (gasData.payment.length === 0) return null;
  const { owner } = gasData;
  return gasData.payment.reduce((sum, ref) => {
    const reservation = readReservation(ref);
    if (!reservation) return sum;
    const { objectId } = reservationRef(0n, { owner, coinType: SUI_TYPE, chainId, epoch });
    if (normalizeSuiAddress(ref.objectId) !== objectId || reservation.epoch !== epoch)
      throw new TransactionRejected(
        `Invalid withdraw reservation: coin reservation object id ${ref.objectId} not found`,
      );
    return sum + reservation.amount;
  }, 0n);
}

/** A validator refuses a transaction that withdraws more than the address has. */
function checkReservations(balances: AddressBalances, reserved: Array<Withdrawal & { owner: string }>): void {
  const sums = netOf(reserved.map(({ owner: address, coinType, amount }) => ({ address, coinType, amount })));
  for (const { address, coinType, amount } of sums) {
    const held = balances.of(address).get(coinType) ?? 0n;
    if (held < amount)
      throw new TransactionRejected(
        `Invalid withdraw reservation: Available amount in account for object id ${accumulatorId(address, coinType)} is less than requested: ${held} < ${amount}`,
      );
  }
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

function findShared(
  store: ObjectStore,
  { objectId, initialSharedVersion: since }: { objectId: string; initialSharedVersion: string | number },
): ChainObject {
  const object = store.get(normalizeSuiAddress(objectId));
  const owner = object && readOwner(object.owner);
  if (!object) throw new TransactionRejected(`Could not find the referenced object ${objectId} at version None`);
  if (owner && 'sharedSince' in owner && owner.sharedSince === BigInt(since)) return object;
  throw new TransactionRejected(`Shared object starting version mismatch for object ${objectId}`);
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
