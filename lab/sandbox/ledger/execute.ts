import { fromBase58 } from '@mysten/sui/utils';
import type { SentFunds } from './address-balances.ts';
import type { LiveCoin } from './coins.ts';
import { CommandRun, type InputValue } from './commands.ts';
import { createdObjectId } from './digests.ts';
import { TransactionRejected } from './errors.ts';
import { ExecutionFailure } from './failures.ts';
import { gasFor, type GasSummary, netGasMist, wholeBudget } from './gas.ts';
import { loadInputs, type LoadedInputs, type LoadOptions } from './inputs.ts';
import type { ObjectChange, ObjectStore } from './object-store.ts';
import { type ChainObject, isCoin, liveCopy, type LiveObject, seal } from './objects.ts';
import { packageFeeMist } from './package-writes.ts';
import type { PublishedPackage } from './packages.ts';
import type { DecodedTransaction } from './transaction-data.ts';

/** In the smallest unit of the currency; positive for a gain. */
export interface BalanceChange {
  readonly address: string;
  readonly coinType: string;
  readonly amount: bigint;
}

export interface Execution {
  readonly transaction: DecodedTransaction;
  readonly epoch: bigint;
  readonly failure: ExecutionFailure | null;
  readonly gas: GasSummary;
  readonly gasObjectId: string;
  readonly lamportVersion: bigint;
  readonly dependencies: readonly string[];
  /** By object id, ascending. */
  readonly changes: readonly ObjectChange[];
  readonly packages: readonly PublishedPackage[];
  readonly funds: readonly SentFunds[];
  readonly balanceChanges: readonly BalanceChange[];
}

interface Outcome {
  readonly objects: readonly LiveObject[];
  readonly packages: readonly PublishedPackage[];
  readonly funds: readonly SentFunds[];
  readonly failure: ExecutionFailure | null;
  readonly gas: GasSummary;
}

/** Returns changes without applying them. Throws TransactionRejected when the transaction may not run at all. */
export function executeTransaction(
  store: ObjectStore,
  transaction: DecodedTransaction,
  options: LoadOptions & { epoch: bigint },
): Execution {
  const loaded = loadInputs(store, transaction, options);
  const budgetMist = BigInt(transaction.data.gasData.budget);
  const gasTotal = loaded.gas.reduce((sum, coin) => sum + coin.value, 0n);
  if (gasTotal < budgetMist)
    throw new TransactionRejected(`Balance of gas object ${gasTotal} is lower than the needed amount: ${budgetMist}`);
  const consumed = consumedObjects(loaded);
  const outcome = attempt(loaded, transaction, consumed, gasTotal);
  const gasObjectId = loaded.gas[0].id;
  const lamportVersion = consumed.reduce((highest, { version }) => (version > highest ? version : highest), 0n) + 1n;
  const changes = writeChanges(consumed, outcome, { gasObjectId, lamportVersion, digest: transaction.digest });
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
    funds: outcome.funds,
    balanceChanges: balanceChangesOf(changes, outcome.funds),
  };
}

function consumedObjects({ gas, inputs }: LoadedInputs): ChainObject[] {
  return [...gas, ...inputs.flatMap((input) => ('object' in input ? [input.object] : []))];
}

/** When a command fails, the coins stay as they were, with the gas coins merged into one and charged. */
function attempt(
  loaded: LoadedInputs,
  transaction: DecodedTransaction,
  consumed: ChainObject[],
  gasTotal: bigint,
): Outcome {
  const budgetMist = BigInt(transaction.data.gasData.budget);
  const priceMist = BigInt(transaction.data.gasData.price);
  try {
    const { objects, packages, funds } = runCommands(loaded, transaction, gasTotal - budgetMist);
    const gas = gasFor(consumed, objects, priceMist, packageFeeMist(packages));
    if (netGasMist(gas) > budgetMist) throw new ExecutionFailure({ InsufficientGas: true }, null);
    const returned = withGasReturned(objects, loaded, budgetMist - netGasMist(gas));
    return { objects: returned, packages, funds, failure: null, gas };
  } catch (error) {
    if (!(error instanceof ExecutionFailure)) throw error;
    const { gasCoin, inputObjects } = liveObjects(loaded, gasTotal - budgetMist);
    const objects = [gasCoin, ...inputObjects];
    const priced = gasFor(consumed, objects, priceMist);
    const gas = netGasMist(priced) > budgetMist ? wholeBudget(consumed, objects, budgetMist) : priced;
    const returned = withGasReturned(objects, loaded, budgetMist - netGasMist(gas));
    return { objects: returned, packages: [], funds: [], failure: error, gas };
  }
}

/** The budget is withheld from the gas coin while commands run, so that they cannot spend it. */
function liveObjects(loaded: LoadedInputs, gasValue: bigint) {
  const [{ id, coinType, owner }] = loaded.gas;
  const gasCoin: LiveCoin = { id, coinType, value: gasValue, owner, spent: false };
  const values = loaded.inputs.map((input): InputValue =>
    'pure' in input ? input : { object: liveCopy(input.object) },
  );
  const inputObjects = values.flatMap((value) => ('object' in value ? [value.object] : []));
  return { gasCoin, values, inputObjects };
}

function runCommands(loaded: LoadedInputs, transaction: DecodedTransaction, gasValue: bigint) {
  const { gasCoin, values, inputObjects } = liveObjects(loaded, gasValue);
  const digest = fromBase58(transaction.digest);
  let createdCount = 0;
  const run = new CommandRun({
    sender: transaction.data.sender,
    gasCoin,
    inputs: values,
    createId: () => createdObjectId(digest, createdCount++),
  });
  run.run(transaction.programmable.commands);
  const objects: LiveObject[] = [gasCoin, ...inputObjects, ...run.created];
  return { objects: objects.filter(({ owner }) => owner !== null), packages: run.packages, funds: run.funds };
}

function withGasReturned(objects: LiveObject[], loaded: LoadedInputs, returnedMist: bigint): LiveObject[] {
  return objects.map((object) =>
    isCoin(object) && object.id === loaded.gas[0].id ? { ...object, value: object.value + returnedMist } : object,
  );
}

function writeChanges(
  consumed: ChainObject[],
  outcome: Outcome,
  at: { gasObjectId: string; lamportVersion: bigint; digest: string },
): ObjectChange[] {
  const before = new Map(consumed.map((object) => [object.id, object]));
  const after = new Map<string, ChainObject>();
  for (const object of outcome.objects) {
    if (object.owner === null) continue;
    const written = { version: at.lamportVersion, previousTransaction: at.digest };
    after.set(object.id, seal(object, object.owner, written));
  }
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
  return ids.map((id) => ({ id, before: before.get(id) ?? null, after: after.get(id) ?? null }));
}

/** Sums per address and currency, zeros left out, in a full node's order. */
function balanceChangesOf(changes: readonly ObjectChange[], funds: readonly SentFunds[]): BalanceChange[] {
  const sums = new Map<string, BalanceChange>();
  const add = ({ address, coinType, amount }: BalanceChange) => {
    const key = `${address} ${coinType}`;
    sums.set(key, { address, coinType, amount: (sums.get(key)?.amount ?? 0n) + amount });
  };
  const addCoin = (coin: ChainObject | null, sign: bigint) => {
    if (coin && isCoin(coin)) add({ address: coin.owner, coinType: coin.coinType, amount: sign * coin.value });
  };
  for (const { before, after } of changes) {
    addCoin(before, -1n);
    addCoin(after, 1n);
  }
  for (const sent of funds) add(sent);
  return [...sums]
    .filter(([, change]) => change.amount !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change);
}
