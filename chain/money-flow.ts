import { bcs } from '@mysten/sui/bcs';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { isSameAddress } from './address.ts';
import { isCoinReservation, type Programmable, readPure } from './transaction-bytes.ts';

/**
 * Follows the money of a transaction through its commands, in both forms that money has on Sui: coin objects, and
 * balances of addresses (SIP-58). Knows the commands of payments and rejects every other one.
 */

export const SUI = normalizeStructTag('0x2::sui::SUI');

export interface Delivery {
  address: string;
  amountUnits: bigint;
  /** Null if the bytes do not name the object's coin. */
  coinType: string | null;
}

export interface MoneyFlow {
  /** In the order of the commands. Money that returns to the sender from its own source is left out. */
  deliveries: Delivery[];
  /** Coin objects of the sender, except the gas coin. */
  coinIds: string[];
  /** One coin object per currency whose type is not in the bytes; it is looked up. */
  unnamedCoinIds: string[];
}

export class UnreadableFlowError extends Error {}

const MORE = 'The transaction does more than pay';
const UNREADABLE = 'The transaction cannot be read';
const KEEPS = 'The transaction keeps part of the payment';
const OBJECTS = 'The transaction uses other objects';
const TWICE = 'The transaction uses a coin twice';
const UNSHOWN = 'The transaction pays an amount that its bytes do not show';
const UNCOVERED = 'The transaction pays more than it withdraws';
const ALLOWANCE = 'The transaction spends the balance of another wallet';
const MIXED = 'The transaction mixes two coins';

const stop = (reason: string): never => {
  throw new UnreadableFlowError(reason);
};

/** Coins that were merged are of one currency, whose name may become known later. */
interface Currency {
  name: string | null;
  mergedInto: Currency | null;
}

interface Funds {
  currency: Currency;
  form: 'coin' | 'balance';
  /** Null for the value of a coin object, which the bytes do not show. */
  units: bigint | null;
  /** True for the gas coin, a coin object or a redeemed withdrawal: what is left of it may return to the sender. */
  isSource: boolean;
  /** True if it existed before the transaction: it stays with its owner unless a command takes it. */
  isStored: boolean;
  isTaken: boolean;
}

const named = (name: string | null): Currency => ({ name, mergedInto: null });

function rootOf(currency: Currency): Currency {
  let root = currency;
  while (root.mergedInto) root = root.mergedInto;
  return root;
}

function unite(one: Currency, other: Currency): void {
  const [into, from] = [rootOf(one), rootOf(other)];
  if (into === from) return;
  if (into.name !== null && from.name !== null && into.name !== from.name) stop(MIXED);
  into.name ??= from.name;
  from.mergedInto = into;
}

type Command = Programmable['commands'][number];
type Argument = NonNullable<Command['SplitCoins']>['coin'];
type MoveCall = NonNullable<Command['MoveCall']>;

class FlowReader {
  readonly #deliveries: Array<Omit<Delivery, 'coinType'> & { currency: Currency }> = [];
  readonly #kind: Programmable;
  readonly #sender: string;
  readonly #gas: Funds;
  readonly #results: Funds[][] = [];
  readonly #coins = new Map<number, Funds>();
  readonly #withdrawn = new Set<number>();

  constructor(kind: Programmable, sender: string) {
    this.#kind = kind;
    this.#sender = sender;
    this.#gas = { currency: named(SUI), form: 'coin', units: null, isSource: true, isStored: true, isTaken: false };
  }

  read(): MoneyFlow {
    const { commands, inputs } = this.#kind;
    for (const command of commands) this.#results.push(this.#run(command));
    if (this.#results.flat().some(({ isTaken }) => !isTaken)) stop(KEEPS);
    const coinIds: string[] = [];
    const unnamed = new Map<Currency, string>();
    for (const [at, input] of inputs.entries()) {
      if (input.Pure) continue;
      if (input.FundsWithdrawal && this.#withdrawn.has(at)) continue;
      const coin = this.#coins.get(at);
      const id = input.Object?.ImmOrOwnedObject?.objectId;
      if (!coin || id === undefined) return stop(OBJECTS);
      coinIds.push(id);
      const root = rootOf(coin.currency);
      if (root.name === null && !unnamed.has(root)) unnamed.set(root, id);
    }
    const deliveries = this.#deliveries.map(({ currency, ...rest }) => ({ ...rest, coinType: rootOf(currency).name }));
    return { deliveries, coinIds, unnamedCoinIds: [...unnamed.values()] };
  }

  #run(command: Command): Funds[] {
    if (command.SplitCoins) {
      const source = this.#funds(command.SplitCoins.coin, 'coin');
      return command.SplitCoins.amounts.map((amount) => this.#split(source, amount));
    }
    if (command.MergeCoins) {
      const into = this.#funds(command.MergeCoins.destination, 'coin');
      for (const source of command.MergeCoins.sources) this.#join(into, source);
      return [];
    }
    if (command.TransferObjects) {
      const { objects, address } = command.TransferObjects;
      for (const object of objects) this.#deliver(this.#take(object, 'coin'), address);
      return [];
    }
    return command.MoveCall ? this.#call(command.MoveCall) : stop(MORE);
  }

  #call(call: MoveCall): Funds[] {
    const { package: id, module, function: name, typeArguments, arguments: given } = call;
    const isOfMoney =
      normalizeSuiAddress(id) === normalizeSuiAddress('0x2') && (module === 'coin' || module === 'balance');
    const [type, ...moreTypes] = typeArguments;
    if (!isOfMoney || type === undefined || moreTypes.length > 0) return stop(MORE);
    const currency = named(normalizeStructTag(type));
    const [first, second] = given;
    const one = first ?? stop(UNREADABLE);
    const two = second ?? one;
    switch (name) {
      case 'redeem_funds':
        return [this.#redeem(one, currency, module)];
      case 'send_funds':
        this.#deliver(this.#takeOf(one, module, currency), two);
        return [];
      case 'join':
        unite(this.#funds(one, module).currency, currency);
        this.#join(this.#funds(one, module), two, module);
        return [];
      case 'split':
        unite(this.#funds(one, module).currency, currency);
        return [this.#split(this.#funds(one, module), two)];
      case 'into_balance':
        return [this.#convert(one, module === 'coin' ? 'coin' : null, currency)];
      case 'from_balance':
        return [this.#convert(one, module === 'coin' ? 'balance' : null, currency)];
      case 'destroy_zero': {
        // The chain aborts unless the coin is empty.
        const { units } = this.#takeOf(one, module, currency);
        return units === null || units === 0n ? [] : stop(KEEPS);
      }
      default:
        return stop(MORE);
    }
  }

  #redeem(argument: Argument, currency: Currency, form: 'coin' | 'balance'): Funds {
    const at = argument.Input ?? -1;
    const withdrawal = this.#kind.inputs[at]?.FundsWithdrawal ?? stop(UNREADABLE);
    if (!withdrawal.withdrawFrom.Sender) return stop(ALLOWANCE);
    if (this.#withdrawn.has(at)) return stop(TWICE);
    this.#withdrawn.add(at);
    unite(currency, named(normalizeStructTag(withdrawal.typeArg.Balance)));
    const units = BigInt(withdrawal.reservation.MaxAmountU64);
    return { currency, form, units, isSource: true, isStored: false, isTaken: false };
  }

  #convert(argument: Argument, from: 'coin' | 'balance' | null, currency: Currency): Funds {
    const { units, isSource } = this.#takeOf(argument, from ?? stop(MORE), currency);
    const form = from === 'coin' ? 'balance' : 'coin';
    return { currency, form, units, isSource, isStored: false, isTaken: false };
  }

  #split(source: Funds, amount: Argument): Funds {
    const units = BigInt(readPure(this.#kind, amount.Input, bcs.u64()) ?? stop(UNREADABLE));
    if (source.units !== null && source.units < units) stop(UNCOVERED);
    if (source.units !== null) source.units -= units;
    const { currency, form } = source;
    return { currency, form, units, isSource: false, isStored: false, isTaken: false };
  }

  #join(into: Funds, argument: Argument, form: 'coin' | 'balance' = 'coin'): void {
    const source = this.#take(argument, form);
    if (source === this.#gas) stop(OBJECTS);
    unite(into.currency, source.currency);
    into.units = into.units === null || source.units === null ? null : into.units + source.units;
  }

  #deliver({ currency, units, isSource }: Funds, to: Argument): void {
    const address = readPure(this.#kind, to.Input, bcs.Address) ?? stop(UNREADABLE);
    if (isSource && isSameAddress(address, this.#sender)) return;
    this.#deliveries.push({ address, amountUnits: units ?? stop(UNSHOWN), currency });
  }

  #takeOf(argument: Argument, form: 'coin' | 'balance', currency: Currency): Funds {
    const funds = this.#take(argument, form);
    unite(funds.currency, currency);
    return funds;
  }

  #take(argument: Argument, form: 'coin' | 'balance'): Funds {
    const funds = this.#funds(argument, form);
    funds.isTaken = true;
    return funds;
  }

  #funds(argument: Argument, form: 'coin' | 'balance'): Funds {
    const funds = this.#value(argument);
    if (funds.isTaken) stop(TWICE);
    return funds.form === form ? funds : stop(UNREADABLE);
  }

  #value({ GasCoin, Input, Result, NestedResult }: Argument): Funds {
    if (GasCoin) return this.#gas;
    if (Input !== undefined) return this.#coin(Input);
    if (NestedResult) return this.#results[NestedResult[0]]?.[NestedResult[1]] ?? stop(UNREADABLE);
    const [funds, ...more] = this.#results[Result ?? -1] ?? [];
    return funds && more.length === 0 ? funds : stop(UNREADABLE);
  }

  #coin(at: number): Funds {
    const known = this.#coins.get(at);
    if (known) return known;
    const ref = this.#kind.inputs[at]?.Object?.ImmOrOwnedObject;
    if (!ref || isCoinReservation(ref.digest)) return stop(OBJECTS);
    const coin: Funds = {
      currency: named(null),
      form: 'coin',
      units: null,
      isSource: true,
      isStored: true,
      isTaken: false,
    };
    this.#coins.set(at, coin);
    return coin;
  }
}

/** Returns the flow of money, or a sentence that says why the transaction is not a plain payment. */
export function readFlow(kind: Programmable, sender: string): MoneyFlow | string {
  try {
    return new FlowReader(kind, sender).read();
  } catch (error) {
    if (error instanceof UnreadableFlowError) return error.message;
    throw error;
  }
}
