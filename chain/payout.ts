import { bcs } from '@mysten/sui/bcs';
import type { ClientWithCoreApi, SuiClientTypes } from '@mysten/sui/client';
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { normalizeStructTag } from '@mysten/sui/utils';
import { isSameAddress, normalizeAddress } from './address.ts';
import type { ExecutedTransaction } from './transactions.ts';
import { decodeTransaction, type Programmable, readPure } from './transaction-bytes.ts';

export interface Transfer {
  address: string;
  amountUnits: bigint;
}

export interface PayoutTerms {
  sender: string;
  coinType: string;
  transfers: readonly Transfer[];
}

/** Payouts are paid from coin objects, not from the balance of the address (SIP-58). */
interface Holding {
  heldUnits: bigint;
  payableUnits: bigint;
}

export async function readHolding(
  client: BalanceReader,
  asked: { owner: string; coinType: string; signal?: AbortSignal },
): Promise<Holding> {
  const { balance } = await client.core.getBalance(asked);
  return { heldUnits: BigInt(balance.balance), payableUnits: BigInt(balance.coinBalance) };
}

export class NotEnoughCoinsError extends Error {
  readonly heldUnits: bigint;
  readonly payableUnits: bigint;
  readonly neededUnits: bigint;

  constructor({ heldUnits, payableUnits, neededUnits }: Holding & { neededUnits: bigint }) {
    super(
      heldUnits < neededUnits
        ? 'The wallet does not hold enough of the payout coin'
        : 'The wallet has too much of the payout coin in its address balance, from which payouts cannot be paid yet',
    );
    this.heldUnits = heldUnits;
    this.payableUnits = payableUnits;
    this.neededUnits = neededUnits;
  }
}

const SUI = normalizeStructTag('0x2::sui::SUI');
const MAX_COINS = 250;

export const sumOf = (transfers: readonly Transfer[]): bigint =>
  transfers.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);

interface BalanceReader {
  core: Pick<ClientWithCoreApi['core'], 'getBalance'>;
}

export interface CoinLister {
  core: Pick<ClientWithCoreApi['core'], 'listCoins' | 'getBalance'>;
}

/**
 * One transaction for all recipients. Chooses the coins here, so that the result can be read back. @throws
 * NotEnoughCoinsError
 */
export async function buildPayout(client: CoinLister, terms: PayoutTerms): Promise<Transaction> {
  const transaction = new Transaction();
  transaction.setSender(terms.sender);
  const isSui = normalizeStructTag(terms.coinType) === SUI;
  const source = isSui ? transaction.gas : mergeCoins(transaction, await chooseCoins(client, terms));
  const coins = transaction.splitCoins(
    source,
    terms.transfers.map(({ amountUnits }) => amountUnits),
  );
  for (const [at, { address }] of terms.transfers.entries()) {
    const coin = coins[at];
    if (coin) transaction.transferObjects([coin], address);
  }
  return transaction;
}

async function chooseCoins(client: CoinLister, terms: PayoutTerms): Promise<SuiClientTypes.Coin[]> {
  const needed = sumOf(terms.transfers);
  const held: SuiClientTypes.Coin[] = [];
  let cursor: string | null = null;
  do {
    const page: SuiClientTypes.ListCoinsResponse = await client.core.listCoins({
      owner: terms.sender,
      coinType: terms.coinType,
      cursor,
    });
    held.push(...page.objects);
    cursor = page.hasNextPage ? page.cursor : null;
  } while (cursor !== null);
  held.sort((one, other) => Number(BigInt(other.balance) - BigInt(one.balance)));
  const chosen: SuiClientTypes.Coin[] = [];
  let sum = 0n;
  for (const coin of held.slice(0, MAX_COINS)) {
    if (sum >= needed && chosen.length > 0) break;
    chosen.push(coin);
    sum += BigInt(coin.balance);
  }
  if (sum >= needed && chosen.length > 0) return chosen;
  const { heldUnits, payableUnits } = await readHolding(client, { owner: terms.sender, coinType: terms.coinType });
  throw new NotEnoughCoinsError({
    heldUnits: sum + heldUnits - payableUnits,
    payableUnits: sum,
    neededUnits: needed,
  });
}

function mergeCoins(transaction: Transaction, coins: SuiClientTypes.Coin[]) {
  const [first, ...rest] = coins.map(({ objectId, version, digest }) =>
    transaction.objectRef({ objectId, version, digest }),
  );
  if (!first) throw new RangeError('no coins to pay from');
  if (rest.length > 0) transaction.mergeCoins(first, rest);
  return first;
}

interface PayoutReading {
  digest: string;
  sender: string;
  coinIds: string[];
  transfers: Transfer[];
}

export function readPayout(bytes: Uint8Array): PayoutReading | { error: string } {
  const data = decodeTransaction(bytes);
  const kind = data?.kind.ProgrammableTransaction;
  if (!data || !kind) return { error: 'This is not a Sui transaction' };
  if (!isSameAddress(data.gasData.owner, data.sender))
    return { error: 'Another wallet pays the gas of this transaction' };
  const content = readCommands(kind);
  if (typeof content === 'string') return { error: content };
  return { digest: TransactionDataBuilder.getDigestFromBytes(bytes), sender: data.sender, ...content };
}

function readCommands(kind: Programmable): Pick<PayoutReading, 'coinIds' | 'transfers'> | string {
  const commands = [...kind.commands];
  const objects = kind.inputs.flatMap((input, at) => (input.Pure ? [] : [at]));
  const coinIds = objects.map((at) => kind.inputs[at]?.Object?.ImmOrOwnedObject?.objectId);
  if (coinIds.some((id) => id === undefined)) return 'The transaction uses objects other than coins of the sender';
  const merged = commands[0]?.MergeCoins ? commands.shift()?.MergeCoins : undefined;
  const splitAt = kind.commands.length - commands.length;
  const split = commands.shift()?.SplitCoins;
  if (!split) return 'The transaction is not a payout';
  const used = merged ? [merged.destination, ...merged.sources] : split.coin.GasCoin ? [] : [split.coin];
  const usedInputs = used.map((argument) => argument.Input);
  if (usedInputs.length !== objects.length || objects.some((at) => !usedInputs.includes(at)))
    return 'The transaction uses other objects';
  if (merged && split.coin.Input !== merged.destination.Input) return 'The transaction splits another coin';
  const transfers = readTransfers(kind, commands, split.amounts, splitAt);
  return typeof transfers === 'string' ? transfers : { coinIds: coinIds.filter((id) => id !== undefined), transfers };
}

type Command = Programmable['commands'][number];
type Argument = NonNullable<Command['SplitCoins']>['coin'];

function readTransfers(
  kind: Programmable,
  commands: Command[],
  amounts: Argument[],
  splitAt: number,
): Transfer[] | string {
  if (commands.length !== amounts.length) return 'The transaction does more, or less, than pay';
  const transfers: Transfer[] = [];
  for (const [at, command] of commands.entries()) {
    const transfer = command.TransferObjects;
    const [object, ...more] = transfer?.objects ?? [];
    const isNext = object?.NestedResult
      ? object.NestedResult[0] === splitAt && object.NestedResult[1] === at
      : object?.Result === splitAt && amounts.length === 1;
    if (!transfer || !isNext || more.length > 0) return 'The transaction does more, or less, than pay';
    const amount = readPure(kind, amounts[at]?.Input, bcs.u64());
    const address = readPure(kind, transfer.address.Input, bcs.Address);
    if (amount === null || address === null) return 'The transaction cannot be read';
    transfers.push({ address, amountUnits: BigInt(amount) });
  }
  return transfers;
}

export function validatePayout(reading: PayoutReading, agreed: PayoutTerms): string | null {
  if (!isSameAddress(reading.sender, agreed.sender)) return 'The transaction is from another wallet';
  if ((normalizeStructTag(agreed.coinType) === SUI) !== (reading.coinIds.length === 0))
    return 'The transaction pays in another coin';
  const same =
    reading.transfers.length === agreed.transfers.length &&
    agreed.transfers.every((wanted, at) => {
      const found = reading.transfers[at];
      return (
        found !== undefined && isSameAddress(found.address, wanted.address) && found.amountUnits === wanted.amountUnits
      );
    });
  return same ? null : 'The transaction pays other wallets or other amounts';
}

/** Returns why the coins are not of the agreed type, or null. Rejects when the chain cannot be asked. */
export async function validateCoin(
  client: ClientWithCoreApi,
  reading: PayoutReading,
  coinType: string,
): Promise<string | null> {
  // The coin that is split: all coins merged into it are of the same type, or the transaction fails.
  const [objectId] = reading.coinIds;
  if (objectId === undefined) return null;
  const { objects } = await client.core.getObjects({ objectIds: [objectId] });
  const [coin] = objects;
  if (!coin || coin instanceof Error) return 'The transaction pays from a coin that does not exist';
  const wanted = normalizeStructTag(`0x2::coin::Coin<${normalizeStructTag(coinType)}>`);
  return normalizeStructTag(coin.type) === wanted ? null : 'The transaction pays in another coin';
}

export function netChanges(tx: ExecutedTransaction, coinType: string): Map<string, bigint> {
  const wanted = normalizeStructTag(coinType);
  const changes = new Map<string, bigint>();
  for (const { address, coinType: type, amount } of tx.balanceChanges) {
    const owner = normalizeAddress(address);
    if (owner === null || normalizeStructTag(type) !== wanted) continue;
    changes.set(owner, (changes.get(owner) ?? 0n) + BigInt(amount));
  }
  return changes;
}

/** The recipients that received less than all their transfers together, except the sender. */
export function unpaidRecipients(tx: ExecutedTransaction, terms: Omit<PayoutTerms, 'sender'>): Set<string> {
  const changes = tx.status.success ? netChanges(tx, terms.coinType) : new Map<string, bigint>();
  const owed = new Map<string, bigint>();
  for (const { address, amountUnits } of terms.transfers) owed.set(address, (owed.get(address) ?? 0n) + amountUnits);
  const isSender = (address: string) => tx.status.success && isSameAddress(tx.transaction.sender ?? '', address);
  const short = [...owed].filter(([address, units]) => !isSender(address) && (changes.get(address) ?? 0n) < units);
  return new Set(short.map(([address]) => address));
}
