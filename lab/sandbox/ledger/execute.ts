import { fromBase58 } from '@mysten/sui/utils';
import { type CoinObject, type LiveCoin, sealCoin, storageFeeMist } from './coins.ts';
import { CommandRun, type InputValue } from './commands.ts';
import { createdObjectId } from './digests.ts';
import { TransactionRejected } from './errors.ts';
import { ExecutionFailure } from './failures.ts';
import { gasFor, type GasSummary, netGasMist, wholeBudget } from './gas.ts';
import { loadInputs, type LoadedInputs, type LoadOptions } from './inputs.ts';
import type { ObjectChange, ObjectStore } from './object-store.ts';
import type { DecodedTransaction } from './transaction-data.ts';

/** Change of an address's balance in one currency, in its smallest unit: positive for a gain. */
export interface BalanceChange {
  readonly address: string;
  readonly coinType: string;
  readonly amount: bigint;
}

/** The outcome of running one transaction on one state of the chain. */
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
  readonly balanceChanges: readonly BalanceChange[];
}

/** The coins of a transaction after its commands, by id, before gas is taken. */
interface Outcome {
  readonly coins: readonly LiveCoin[];
  readonly failure: ExecutionFailure | null;
  readonly gas: GasSummary;
}

/**
 * Runs a transaction and returns the resulting changes, without applying them. Throws TransactionRejected when it may
 * not run at all; a command that fails is part of the outcome instead.
 */
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
    balanceChanges: balanceChangesOf(changes),
  };
}

function consumedObjects({ gas, inputs }: LoadedInputs): CoinObject[] {
  return [...gas, ...inputs.flatMap((input) => ('object' in input ? [input.object] : []))];
}

/**
 * Runs the commands first. When they fail, the coins stay as they were, with the gas coins still merged into one and
 * charged.
 */
function attempt(
  loaded: LoadedInputs,
  transaction: DecodedTransaction,
  consumed: CoinObject[],
  gasTotal: bigint,
): Outcome {
  const budgetMist = BigInt(transaction.data.gasData.budget);
  const priceMist = BigInt(transaction.data.gasData.price);
  try {
    const coins = runCommands(loaded, transaction, gasTotal - budgetMist);
    const gas = gasFor(consumed, coins, priceMist);
    if (netGasMist(gas) > budgetMist) throw new ExecutionFailure({ InsufficientGas: true }, null);
    return { coins: withGasReturned(coins, loaded, budgetMist - netGasMist(gas)), failure: null, gas };
  } catch (error) {
    if (!(error instanceof ExecutionFailure)) throw error;
    const { gasCoin, inputCoins } = liveCoins(loaded, gasTotal - budgetMist);
    const coins = [gasCoin, ...inputCoins];
    const priced = gasFor(consumed, coins, priceMist);
    const gas = netGasMist(priced) > budgetMist ? wholeBudget(consumed, coins, budgetMist) : priced;
    return { coins: withGasReturned(coins, loaded, budgetMist - netGasMist(gas)), failure: error, gas };
  }
}

/** The budget is withheld from the gas coin while commands run, so that they cannot spend it. */
function liveCoins(loaded: LoadedInputs, gasValue: bigint) {
  const live = (object: CoinObject, value: bigint): LiveCoin => ({
    id: object.id,
    coinType: object.coinType,
    value,
    owner: object.owner,
    spent: false,
  });
  const values = loaded.inputs.map((input): InputValue =>
    'pure' in input ? input : { coin: live(input.object, input.object.value) },
  );
  const inputCoins = values.flatMap((value) => ('coin' in value ? [value.coin] : []));
  return { gasCoin: live(loaded.gas[0], gasValue), values, inputCoins };
}

function runCommands(loaded: LoadedInputs, transaction: DecodedTransaction, gasValue: bigint): LiveCoin[] {
  const { gasCoin, values, inputCoins } = liveCoins(loaded, gasValue);
  const digest = fromBase58(transaction.digest);
  let createdCount = 0;
  const run = new CommandRun({ gasCoin, inputs: values, createId: () => createdObjectId(digest, createdCount++) });
  run.run(transaction.programmable.commands);
  return [gasCoin, ...inputCoins, ...run.created].filter((coin) => coin.owner !== null);
}

function withGasReturned(coins: LiveCoin[], loaded: LoadedInputs, returnedMist: bigint): LiveCoin[] {
  return coins.map((coin) => (coin.id === loaded.gas[0].id ? { ...coin, value: coin.value + returnedMist } : coin));
}

function writeChanges(
  consumed: CoinObject[],
  outcome: Outcome,
  at: { gasObjectId: string; lamportVersion: bigint; digest: string },
): ObjectChange[] {
  const before = new Map(consumed.map((object) => [object.id, object]));
  const after = new Map<string, CoinObject>();
  for (const coin of outcome.coins) {
    if (coin.owner === null) continue;
    after.set(
      coin.id,
      sealCoin({
        id: coin.id,
        version: at.lamportVersion,
        coinType: coin.coinType,
        value: coin.value,
        owner: coin.owner,
        previousTransaction: at.digest,
        storageRebateMist: storageFeeMist(coin.coinType),
      }),
    );
  }
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
  return ids.map((id) => ({ id, before: before.get(id) ?? null, after: after.get(id) ?? null }));
}

/** Sums per address and currency, zeros left out, in a full node's order. */
function balanceChangesOf(changes: readonly ObjectChange[]): BalanceChange[] {
  const sums = new Map<string, BalanceChange>();
  const add = (coin: CoinObject | null, sign: bigint) => {
    if (!coin) return;
    const key = `${coin.owner} ${coin.coinType}`;
    const amount = (sums.get(key)?.amount ?? 0n) + sign * coin.value;
    sums.set(key, { address: coin.owner, coinType: coin.coinType, amount });
  };
  for (const { before, after } of changes) {
    add(before, -1n);
    add(after, 1n);
  }
  return [...sums]
    .filter(([, change]) => change.amount !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change);
}
