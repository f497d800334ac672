import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeStructTag } from '@mysten/sui/utils';
import { reservationRef } from '../ledger/address-balances.ts';
import type { Chain } from '../ledger/chain.ts';
import { storageFeeMist } from '../ledger/coins.ts';
import { MAX_GAS_BUDGET_MIST, MAX_GAS_OBJECTS, REFERENCE_GAS_PRICE_MIST, SUI_TYPE } from '../ledger/constants.ts';
import { invalidArgument, TransactionRejected } from '../ledger/errors.ts';
import { type Execution, executeTransaction } from '../ledger/execute.ts';
import {
  type Command,
  decodeTransaction,
  encodeTransaction,
  type DecodedTransaction,
} from '../ledger/transaction-data.ts';
import { checkValidity, isExecutedOnce } from '../ledger/validity.ts';
import { resolveTransaction } from './transaction-request.ts';

const SAFE_OVERHEAD_MIST = 1000n * REFERENCE_GAS_PRICE_MIST;

interface Simulation {
  readonly chain: Chain;
  readonly checks: boolean;
}

/** Runs a transaction without committing it. Throws INVALID_ARGUMENT when the transaction may not run. */
export function simulate(chain: Chain, request: GrpcTypes.SimulateTransactionRequest): Execution {
  const simulation = {
    chain,
    checks: request.checks !== GrpcTypes.SimulateTransactionRequest_TransactionChecks.DISABLED,
  };
  const transaction = requestedTransaction(chain, request.transaction);
  try {
    if (request.doGasSelection !== true || !simulation.checks)
      return dryRun(simulation, transaction, transaction.data.gasData.payment.length === 0);
    const isEstimated = !request.transaction?.bcs && request.transaction?.gasPayment?.budget === undefined;
    const budgeted = isEstimated ? withEstimatedBudget(simulation, transaction) : transaction;
    return dryRun(simulation, withSelectedGas(chain, budgeted), false);
  } catch (error) {
    if (!(error instanceof TransactionRejected)) throw error;
    throw invalidArgument(`Error checking transaction input objects: ${error.message}`);
  }
}

function requestedTransaction(chain: Chain, request: GrpcTypes.Transaction | undefined): DecodedTransaction {
  if (!request) throw invalidArgument('missing transaction');
  if (request.bcs?.value) return decodeTransaction(request.bcs.value);
  return encodeTransaction(resolveTransaction(chain.objects, request));
}

function dryRun({ chain, checks }: Simulation, transaction: DecodedTransaction, mockGas: boolean): Execution {
  const moment = chain.moment();
  checkValidity(transaction, moment, { isFinal: checks && !mockGas });
  return executeTransaction(chain, transaction, {
    epoch: moment.epoch,
    mockGas,
    checkOwners: checks,
    denied: chain.denied,
  });
}

function withEstimatedBudget(simulation: Simulation, transaction: DecodedTransaction): DecodedTransaction {
  const { gasData } = transaction.data;
  const trial = encodeTransaction({
    ...transaction.data,
    gasData: { ...gasData, payment: [], budget: MAX_GAS_BUDGET_MIST },
  });
  const { gas } = dryRun(simulation, trial, true);
  const net = gas.computationCost + gas.storageCost - storageFeeMist(SUI_TYPE) - gas.storageRebate;
  const estimate = (net > gas.computationCost ? net : gas.computationCost) + SAFE_OVERHEAD_MIST;
  const budget = estimate < MAX_GAS_BUDGET_MIST ? estimate : MAX_GAS_BUDGET_MIST;
  return encodeTransaction({ ...transaction.data, gasData: { ...gasData, budget } });
}

/**
 * Pays gas from the address balance if it covers budget and withdrawals and no command uses the gas coin; otherwise
 * from coins, with the rest of the address balance as part of the gas coin.
 */
function withSelectedGas(chain: Chain, transaction: DecodedTransaction): DecodedTransaction {
  const { gasData, sender } = transaction.data;
  if (gasData.payment.length > 0) return transaction;
  const { owner } = gasData;
  const withdrawn = owner === sender ? suiWithdrawn(transaction) : 0n;
  const spendable = (chain.addressBalances.of(owner).get(SUI_TYPE) ?? 0n) - withdrawn;
  const usesGasCoin = transaction.programmable.commands.some(spendsGasCoin);
  if (!usesGasCoin && spendable >= BigInt(gasData.budget)) return withExpiration(chain, transaction);
  const used = new Set(transaction.programmable.inputs.map((input) => input.Object?.ImmOrOwnedObject?.objectId));
  const coins = chain.objects
    .coinsOf(owner, SUI_TYPE)
    .filter((coin) => !used.has(coin.id))
    .slice(0, MAX_GAS_OBJECTS - 1);
  const { epoch } = chain.moment();
  const reservation =
    usesGasCoin && spendable > 0n
      ? [reservationRef(spendable, { owner, coinType: SUI_TYPE, chainId: chain.chainId, epoch })]
      : [];
  const reservedMist = reservation.length > 0 ? spendable : 0n;
  const available = coins.reduce((sum, coin) => sum + coin.value, reservedMist);
  if (coins.length + reservation.length === 0 || available < BigInt(gasData.budget))
    throw invalidArgument(
      `Unable to perform gas selection due to insufficient SUI balance (in address balance or coins) for account ${owner} to satisfy required budget ${gasData.budget}.`,
    );
  const payment = [...reservation, ...coins.map(({ id, version, digest }) => ({ objectId: id, version, digest }))];
  return withExpiration(chain, encodeTransaction({ ...transaction.data, gasData: { ...gasData, payment } }));
}

const suiWithdrawn = ({ programmable }: DecodedTransaction): bigint =>
  programmable.inputs.reduce((sum, { FundsWithdrawal }) => {
    const isSui = FundsWithdrawal && normalizeStructTag(FundsWithdrawal.typeArg.Balance) === SUI_TYPE;
    return isSui ? sum + BigInt(FundsWithdrawal.reservation.MaxAmountU64) : sum;
  }, 0n);

const spendsGasCoin = (command: Command): boolean =>
  [
    command.SplitCoins?.coin,
    command.MergeCoins?.destination,
    ...(command.MergeCoins?.sources ?? []),
    ...(command.TransferObjects?.objects ?? []),
    ...(command.MoveCall?.arguments ?? []),
  ].some((argument) => argument?.GasCoin);

/** Adds an expiration as a full node does, which would otherwise reject the transaction. */
function withExpiration(chain: Chain, transaction: DecodedTransaction): DecodedTransaction {
  if (transaction.data.expiration.$kind !== 'None' || isExecutedOnce(transaction)) return transaction;
  const { chainId, epoch } = chain.moment();
  const [nonce = 0] = crypto.getRandomValues(new Uint32Array(1));
  const window = { minEpoch: epoch, maxEpoch: epoch + 1n, minTimestamp: null, maxTimestamp: null };
  return encodeTransaction({ ...transaction.data, expiration: { ValidDuring: { ...window, chain: chainId, nonce } } });
}
