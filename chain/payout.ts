import type { ClientWithCoreApi } from '@mysten/sui/client';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { normalizeStructTag } from '@mysten/sui/utils';
import { isSameAddress } from './address.ts';
import { chooseFunds, type CoinLister, gather } from './funds.ts';
import { netChanges } from './held.ts';
import { type Delivery, readFlow, SUI } from './money-flow.ts';
import { endlessness } from './payment.ts';
import type { ExecutedTransaction } from './transactions.ts';
import { decodeTransaction, type Life, lifeOf } from './transaction-bytes.ts';

const CALL_MS = 8_000;

export interface Transfer {
  address: string;
  amountUnits: bigint;
}

export interface PayoutTerms {
  sender: string;
  coinType: string;
  transfers: readonly Transfer[];
}

export const sumOf = (transfers: readonly Transfer[]): bigint =>
  transfers.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);

/**
 * One transaction for all recipients. Takes coins before the address balance: what spends a coin's version is executed
 * at most once, whatever becomes of it. @throws NotEnoughCoinsError
 */
export async function buildPayout(client: CoinLister, terms: PayoutTerms): Promise<Transaction> {
  const transaction = new Transaction();
  transaction.setSender(terms.sender);
  const coinType = normalizeStructTag(terms.coinType);
  const isSui = coinType === SUI;
  const funds = isSui
    ? null
    : await chooseFunds(client, { owner: terms.sender, coinType, neededUnits: sumOf(terms.transfers) });
  const source = funds ? gather(transaction, coinType, funds) : transaction.gas;
  const coins = transaction.splitCoins(
    source,
    terms.transfers.map(({ amountUnits }) => amountUnits),
  );
  for (const [at, { address }] of terms.transfers.entries()) {
    const coin = coins[at];
    if (coin) transaction.transferObjects([coin], address);
  }
  if (funds?.coins.length === 0)
    transaction.moveCall({ target: '0x2::coin::destroy_zero', typeArguments: [coinType], arguments: [source] });
  return transaction;
}

/** The moment of a chain that a payout is bound to. */
export interface ChainMoment {
  chainId: string;
  epoch: bigint;
  /** Whether the wallet owns money that is in no coin: then its node and its wallet know address balances. */
  hasAddressBalance: boolean;
}

export async function readChainMoment(
  client: SuiGrpcClient,
  { sender, coinType }: Pick<PayoutTerms, 'sender' | 'coinType'>,
): Promise<ChainMoment> {
  const signal = AbortSignal.timeout(CALL_MS);
  const [{ response }, ...balances] = await Promise.all([
    client.ledgerService.getServiceInfo({}, { abort: signal }),
    client.core.getBalance({ owner: sender, coinType, signal }),
    client.core.getBalance({ owner: sender, signal }),
  ]);
  const { chainId, epoch } = response;
  if (chainId === undefined || epoch === undefined)
    throw new Error('the node does not say which chain and epoch it is at');
  return { chainId, epoch, hasAddressBalance: balances.some(({ balance }) => BigInt(balance.addressBalance) > 0n) };
}

/**
 * Binds a payout to the present epoch, so that it is known when it can no longer be executed. Only the form for address
 * balances replaces the version of a coin, and only nodes that know them understand it.
 */
export function bindToEpoch(transaction: Transaction, { chainId: chain, epoch, hasAddressBalance }: ChainMoment): void {
  const last = String(epoch);
  if (!hasAddressBalance) return transaction.setExpiration({ Epoch: last });
  const [nonce = 0] = crypto.getRandomValues(new Uint32Array(1));
  const window = { minEpoch: last, maxEpoch: last, minTimestamp: null, maxTimestamp: null };
  transaction.setExpiration({ ValidDuring: { ...window, chain, nonce } });
}

export async function buildBoundPayout(client: SuiGrpcClient, terms: PayoutTerms): Promise<Transaction> {
  const [transaction, moment] = await Promise.all([buildPayout(client, terms), readChainMoment(client, terms)]);
  bindToEpoch(transaction, moment);
  return transaction;
}

export interface PayoutReading {
  digest: string;
  sender: string;
  coinIds: string[];
  unnamedCoinIds: string[];
  transfers: Delivery[];
  life: Life;
}

export function readPayout(bytes: Uint8Array): PayoutReading | { error: string } {
  const data = decodeTransaction(bytes);
  const kind = data?.kind.ProgrammableTransaction;
  if (!data || !kind) return { error: 'This is not a Sui transaction' };
  if (!isSameAddress(data.gasData.owner, data.sender))
    return { error: 'Another wallet pays the gas of this transaction' };
  const flow = readFlow(kind, data.sender);
  if (typeof flow === 'string') return { error: flow };
  const { deliveries: transfers, coinIds, unnamedCoinIds } = flow;
  if (transfers.length === 0) return { error: 'The transaction is not a payout' };
  const digest = TransactionDataBuilder.getDigestFromBytes(bytes);
  return { digest, sender: data.sender, coinIds, unnamedCoinIds, transfers, life: lifeOf(data) };
}

export function validatePayout(reading: PayoutReading, agreed: PayoutTerms): string | null {
  if (!isSameAddress(reading.sender, agreed.sender)) return 'The transaction is from another wallet';
  const wanted = normalizeStructTag(agreed.coinType);
  if (reading.transfers.some(({ coinType }) => coinType !== null && coinType !== wanted))
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

/**
 * Returns why a payout could be executed for longer than until the next epoch has ended, or null. The nodes of two
 * networks may be an epoch apart at its change.
 */
export function validateLife(
  { life }: PayoutReading,
  { chainId, epoch }: Pick<ChainMoment, 'chainId' | 'epoch'>,
): string | null {
  const endless = endlessness(life);
  if (endless !== null) return endless;
  if (life.chainId !== null && life.chainId !== chainId) return 'The transaction is for another chain';
  if (life.lastEpoch === null || life.lastEpoch > epoch + 1n)
    return 'The transaction has to expire with the present epoch. Prepare the payout again';
  return life.lastEpoch < epoch ? 'The transaction has expired. Prepare the payout again' : null;
}

/** Returns why the coins are not of the agreed type, or null. Rejects when the chain cannot be asked. */
export async function validateCoin(
  client: ClientWithCoreApi,
  reading: PayoutReading,
  coinType: string,
): Promise<string | null> {
  // One for all that are merged: they are of the same type, or the transaction fails.
  const { unnamedCoinIds } = reading;
  if (unnamedCoinIds.length === 0) return null;
  const { objects } = await client.core.getObjects({ objectIds: unnamedCoinIds });
  const wanted = normalizeStructTag(`0x2::coin::Coin<${normalizeStructTag(coinType)}>`);
  for (const [at] of unnamedCoinIds.entries()) {
    const coin = objects[at];
    if (!coin || coin instanceof Error) return 'The transaction pays from a coin that does not exist';
    if (normalizeStructTag(coin.type) !== wanted) return 'The transaction pays in another coin';
  }
  return null;
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
