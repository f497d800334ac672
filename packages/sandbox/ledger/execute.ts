import { fromBase58 } from '@mysten/sui/utils';
import { type FundsChange, netOf } from './address-balances.ts';
import type { LiveCoin } from './coins.ts';
import { CommandRun, type InputValue } from './commands.ts';
import { SUI_TYPE } from './constants.ts';
import { createdObjectId } from './digests.ts';
import { TransactionRejected } from './errors.ts';
import type { MoveEvent } from './events.ts';
import { ExecutionFailure } from './failures.ts';
import { gasFor, type GasSummary, netGasMist, wholeBudget } from './gas.ts';
import { type ChainState, loadInputs, type LoadedInputs, type LoadOptions } from './inputs.ts';
import type { ObjectChange } from './object-store.ts';
import { readOwner, writtenOwner } from './owner.ts';
import { type ChainObject, isCoin, liveCopy, type LiveObject, seal } from './objects.ts';
import { packageFeeMist } from './package-writes.ts';
import type { PublishedPackage } from './packages.ts';
import type { DecodedTransaction } from './transaction-data.ts';

export interface Execution {
  readonly transaction: DecodedTransaction;
  readonly epoch: bigint;
  readonly failure: ExecutionFailure | null;
  readonly gas: GasSummary;
  /** Null if the address balance pays the gas. */
  readonly gasObjectId: string | null;
  readonly lamportVersion: bigint;
  readonly dependencies: readonly string[];
  /** Changes by object id, ascending. */
  readonly changes: readonly ObjectChange[];
  readonly packages: readonly PublishedPackage[];
  /** Net changes of address balances. */
  readonly funds: readonly FundsChange[];
  readonly balanceChanges: readonly FundsChange[];
  readonly events: readonly MoveEvent[];
}

interface Outcome {
  readonly objects: readonly LiveObject[];
  readonly packages: readonly PublishedPackage[];
  readonly funds: readonly FundsChange[];
  readonly events: readonly MoveEvent[];
  /** Inputs, and the fields that commands read. */
  readonly consumed: readonly ChainObject[];
  readonly failure: ExecutionFailure | null;
  readonly gas: GasSummary;
}

/** Returns changes without applying them. Throws TransactionRejected when the transaction may not run at all. */
export function executeTransaction(
  chain: ChainState,
  transaction: DecodedTransaction,
  options: LoadOptions,
): Execution {
  const loaded = loadInputs(chain, transaction, options);
  const budgetMist = BigInt(transaction.data.gasData.budget);
  const gasTotal = loaded.gas.reduce((sum, coin) => sum + coin.value, loaded.reservedGasMist ?? budgetMist);
  if (gasTotal < budgetMist)
    throw new TransactionRejected(`Balance of gas object ${gasTotal} is lower than the needed amount: ${budgetMist}`);
  const inputs = consumedObjects(loaded);
  const outcome = attempt(chain, { loaded, transaction, inputs, gasTotal, denied: options.denied });
  const { consumed } = outcome;
  const gasObjectId = loaded.gas[0]?.id ?? null;
  const lamportVersion = inputs.reduce((highest, { version }) => (version > highest ? version : highest), 0n) + 1n;
  const changes = writeChanges(consumed, outcome, { lamportVersion, digest: transaction.digest });
  const funds = netOf(outcome.funds);
  return {
    transaction,
    epoch: options.epoch,
    failure: outcome.failure,
    gas: outcome.gas,
    gasObjectId,
    lamportVersion,
    dependencies: [...new Set(consumed.map((object) => object.previousTransaction))].sort(),
    changes,
    packages: outcome.packages,
    funds,
    balanceChanges: balanceChangesOf(changes, funds),
    events: outcome.events,
  };
}

function consumedObjects({ gas, inputs }: LoadedInputs): ChainObject[] {
  return [...gas, ...inputs.flatMap((input) => ('object' in input ? [input.object] : []))];
}

/** When a command fails, the coins stay as they were, with the gas coins merged into one and charged. */
function attempt(
  chain: ChainState,
  {
    loaded,
    transaction,
    inputs,
    gasTotal,
    denied,
  }: {
    loaded: LoadedInputs;
    transaction: DecodedTransaction;
    inputs: ChainObject[];
    gasTotal: bigint;
    denied: ReadonlySet<string>;
  },
): Outcome {
  const budgetMist = BigInt(transaction.data.gasData.budget);
  const priceMist = BigInt(transaction.data.gasData.price);
  const owner = transaction.data.gasData.owner;
  try {
    const ran = runCommands(chain, { loaded, transaction, gasValue: gasTotal - budgetMist });
    const { objects, gasCoin, packages, funds, events } = ran;
    requireNotDenied(objects, denied);
    const consumed = [...inputs, ...ran.loaded];
    const gas = gasFor(consumed, written(objects, loaded), priceMist, packageFeeMist(packages));
    if (netGasMist(gas) > budgetMist) throw new ExecutionFailure({ InsufficientGas: true }, null);
    const settled = settleGas(loaded, objects, { gasCoin, owner, returnedMist: budgetMist - netGasMist(gas) });
    return { ...settled, funds: [...funds, ...settled.funds], packages, events, consumed, failure: null, gas };
  } catch (error) {
    if (!(error instanceof ExecutionFailure)) throw error;
    const { gasCoin, inputObjects } = liveObjects(loaded, transaction, gasTotal - budgetMist);
    const objects = [gasCoin, ...inputObjects];
    const kept = written(objects, loaded);
    const priced = gasFor(inputs, kept, priceMist);
    const gas = netGasMist(priced) > budgetMist ? wholeBudget(inputs, kept, budgetMist) : priced;
    const settled = settleGas(loaded, objects, { gasCoin, owner, returnedMist: budgetMist - netGasMist(gas) });
    return { ...settled, packages: [], events: [], consumed: inputs, failure: error, gas };
  }
}

function requireNotDenied(objects: readonly LiveObject[], denied: ReadonlySet<string>): void {
  for (const object of objects)
    if (isCoin(object) && object.coinType !== SUI_TYPE && denied.has(object.owner ?? ''))
      throw new ExecutionFailure(
        { AddressDeniedForCoin: { address: object.owner ?? '', coinType: object.coinType } },
        null,
      );
}

/** A gas coin that was made from an address balance alone becomes no object. */
const written = (objects: readonly LiveObject[], { gas }: LoadedInputs): LiveObject[] =>
  gas.length > 0 ? [...objects] : objects.filter(({ id }) => id !== RESERVED_GAS);

const RESERVED_GAS = 'reserved gas';

/** The budget is withheld from the gas coin while commands run, so that they cannot spend it. */
function liveObjects(loaded: LoadedInputs, { data }: DecodedTransaction, gasValue: bigint) {
  const id = loaded.gas[0]?.id ?? RESERVED_GAS;
  const gasCoin: LiveCoin = { id, coinType: SUI_TYPE, value: gasValue, owner: data.gasData.owner, spent: false };
  const values = loaded.inputs.map((input): InputValue =>
    'object' in input
      ? { object: liveCopy(input.object) }
      : 'withdrawal' in input
        ? { withdrawal: { ...input.withdrawal, isRedeemed: false } }
        : input,
  );
  const inputObjects = values.flatMap((value) => ('object' in value ? [value.object] : []));
  return { gasCoin, values, inputObjects };
}

function runCommands(
  chain: ChainState,
  { loaded, transaction, gasValue }: { loaded: LoadedInputs; transaction: DecodedTransaction; gasValue: bigint },
) {
  const { gasCoin, values, inputObjects } = liveObjects(loaded, transaction, gasValue);
  const digest = fromBase58(transaction.digest);
  let createdCount = 0;
  const run = new CommandRun({
    gasCoin: loaded.reservedGasMist === null ? null : gasCoin,
    sender: transaction.data.sender,
    inputs: values,
    createId: () => createdObjectId(digest, createdCount++),
    packages: chain.packages,
    find: (id) => chain.objects.get(id),
  });
  run.run(transaction.programmable.commands);
  const objects: LiveObject[] = [gasCoin, ...inputObjects, ...run.created];
  const owned = objects.filter(({ owner }) => owner !== null);
  return { objects: owned, gasCoin, packages: run.packages, funds: run.funds, events: run.events, loaded: run.loaded };
}

/** The rest of the budget goes back to where the gas came from. */
function settleGas(
  loaded: LoadedInputs,
  objects: readonly LiveObject[],
  { gasCoin, owner, returnedMist }: { gasCoin: LiveCoin; owner: string; returnedMist: bigint },
): Pick<Outcome, 'objects' | 'funds'> {
  const taken = (amount: bigint): FundsChange => ({ address: owner, coinType: SUI_TYPE, amount: -amount });
  const { gas, reservedGasMist } = loaded;
  if (gas.length > 0) {
    const returned = objects.map((object) =>
      isCoin(object) && object.id === gasCoin.id ? { ...object, value: object.value + returnedMist } : object,
    );
    return { objects: returned, funds: [taken(reservedGasMist ?? 0n)] };
  }
  const back = { address: gasCoin.owner ?? owner, coinType: SUI_TYPE, amount: gasCoin.value };
  const reserved = reservedGasMist ?? loaded.budgetMist;
  return { objects: written(objects, loaded), funds: [taken(reserved), back, taken(-returnedMist)] };
}

function writeChanges(
  consumed: readonly ChainObject[],
  outcome: Outcome,
  at: { lamportVersion: bigint; digest: string },
): ObjectChange[] {
  const before = new Map(consumed.map((object) => [object.id, object]));
  const after = new Map<string, ChainObject>();
  for (const object of outcome.objects) {
    if (object.owner === null || (isCoin(object) && object.isBalance)) continue;
    const stamp = { version: at.lamportVersion, previousTransaction: at.digest };
    after.set(object.id, seal(object, writtenOwner(object.owner, at.lamportVersion), stamp));
  }
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
  return ids.map((id) => ({ id, before: before.get(id) ?? null, after: after.get(id) ?? null }));
}

/** Balance changes in the order of a full node. */
function balanceChangesOf(changes: readonly ObjectChange[], funds: readonly FundsChange[]): FundsChange[] {
  const ofCoin = (coin: ChainObject | null, sign: bigint): FundsChange[] =>
    coin && isCoin(coin) && 'address' in readOwner(coin.owner)
      ? [{ address: coin.owner, coinType: coin.coinType, amount: sign * coin.value }]
      : [];
  return netOf([...changes.flatMap(({ before, after }) => [...ofCoin(before, -1n), ...ofCoin(after, 1n)]), ...funds]);
}
