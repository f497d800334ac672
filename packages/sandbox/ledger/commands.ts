import { bcs } from '@mysten/sui/bcs';
import type { FundsChange } from './address-balances.ts';
import type { LiveCoin } from './coins.ts';
import { MAX_U64 } from './constants.ts';
import type { MoveEvent } from './events.ts';
import { type ArgumentError, ExecutionFailure, type FailureStatus } from './failures.ts';
import type { Withdrawal } from './inputs.ts';
import { consume, findCall } from './move-calls.ts';
import type { MoveFrame } from './move-frame.ts';
import { type ChainObject, isCoin, liveCopy, type LiveObject, type LiveTyped } from './objects.ts';
import { readOwner } from './owner.ts';
import type { PackageStore, PublishedPackage } from './packages.ts';
import { publishModules } from './publish.ts';
import type { Argument, Command } from './transaction-data.ts';

export interface LiveWithdrawal extends Withdrawal {
  isRedeemed: boolean;
}

export type InputValue =
  | { readonly pure: Uint8Array }
  | { readonly object: LiveObject }
  | { readonly withdrawal: LiveWithdrawal };

interface Scope {
  /** Null if the address balance pays the gas, and no coin. */
  readonly gasCoin: LiveCoin | null;
  readonly sender: string;
  readonly inputs: readonly InputValue[];
  readonly createId: () => string;
  readonly packages: PackageStore;
  readonly find: (id: string) => ChainObject | undefined;
}

/** Runs the commands of one transaction on a copy of the objects: the caller keeps or drops the result. */
export class CommandRun {
  readonly created: LiveObject[] = [];
  readonly packages: PublishedPackage[] = [];
  readonly funds: FundsChange[] = [];
  readonly events: MoveEvent[] = [];
  /** Fields of objects that were read. */
  readonly loaded: ChainObject[] = [];
  readonly #children = new Map<string, LiveTyped>();
  readonly #scope: Scope;
  readonly #results: LiveObject[][] = [];
  #command = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Throws ExecutionFailure at the first command that cannot be executed, or when a created object is left over. */
  run(commands: readonly Command[]): void {
    for (const [index, command] of commands.entries()) {
      this.#command = index;
      this.#results.push(this.#perform(command));
    }
    for (const [resultIdx, objects] of this.#results.entries())
      for (const [secondaryIdx, { spent }] of objects.entries())
        if (!spent) throw new ExecutionFailure({ UnusedValueWithoutDrop: { resultIdx, secondaryIdx } }, null);
  }

  #perform(command: Command): LiveObject[] {
    switch (command.$kind) {
      case 'SplitCoins':
        return this.#split(command.SplitCoins);
      case 'MergeCoins':
        return this.#merge(command.MergeCoins);
      case 'TransferObjects':
        return this.#transfer(command.TransferObjects);
      case 'MoveCall':
        return this.#call(command.MoveCall);
      case 'Publish':
        return publishModules({ ...this.#frame([], []), sender: this.#scope.sender }, command.Publish.modules);
      default:
        throw new TypeError(`${command.$kind} should have been refused before`);
    }
  }

  #split({ coin, amounts }: { coin: Argument; amounts: Argument[] }): LiveCoin[] {
    const source = this.#coin(coin, 0);
    return amounts.map((amount, index) => {
      const value = BigInt(this.#pure(amount, index + 1, U64));
      if (value > source.value) throw this.#fail({ InsufficientCoinBalance: true });
      source.value -= value;
      return this.#create(source.coinType, value);
    });
  }

  #merge({ destination, sources }: { destination: Argument; sources: Argument[] }): LiveCoin[] {
    const target = this.#coin(destination, 0);
    for (const [index, argument] of sources.entries()) {
      const argIdx = index + 1;
      const source = this.#coin(argument, argIdx);
      if (source === this.#scope.gasCoin) throw this.#badArgument(argIdx, { InvalidGasCoinUsage: true });
      if (source === target) throw this.#badArgument(argIdx, { ArgumentWithoutValue: true });
      if (source.coinType !== target.coinType) throw this.#badArgument(argIdx, { TypeMismatch: true });
      if (target.value + source.value > MAX_U64) throw this.#fail({ CoinBalanceOverflow: true });
      target.value += source.value;
      consume(source);
    }
    return [];
  }

  #transfer({ objects, address }: { objects: Argument[]; address: Argument }): LiveCoin[] {
    const recipient = this.#pure(address, objects.length, ADDRESS);
    for (const [index, argument] of objects.entries()) {
      const object = this.#object(argument, index);
      const isFixed = !isCoin(object) && object.isKeyOnly === true;
      if (isFixed || isShared(object)) throw this.#badArgument(index, { InvalidTransferObject: true });
      if (isBalance(object)) throw this.#badArgument(index, { TypeMismatch: true });
      object.owner = recipient;
      object.spent = true;
    }
    return [];
  }

  #call(call: {
    package: string;
    module: string;
    function: string;
    typeArguments: string[];
    arguments: Argument[];
  }): LiveObject[] {
    const known = findCall(call, this.#scope.packages);
    if (known?.types !== call.typeArguments.length || known.args !== call.arguments.length)
      throw this.#fail({ ArityMismatch: true });
    return known.run(this.#frame(call.typeArguments, call.arguments));
  }

  #frame(types: string[], args: Argument[]): MoveFrame {
    const argument = (index: number): Argument => args[index] ?? { $kind: 'GasCoin', GasCoin: true };
    return {
      sender: this.#scope.sender,
      types,
      coin: (index) => this.#coin(argument(index), index),
      balance: (index) => this.#balance(argument(index), index),
      redeem: (index, coinType) => this.#redeem(argument(index), index, coinType),
      typed: (index, objectType) => this.#typed(argument(index), index, objectType),
      pure: (index, type, bytes) => this.#pure(argument(index), index, { parse: (given) => type.parse(given), bytes }),
      child: (id) => this.#child(id),
      addChild: (child) => void this.#children.set(child.id, this.#add(child)),
      emit: (event) => this.events.push(event),
      isGasCoin: (coin) => coin === this.#scope.gasCoin,
      newId: () => this.#scope.createId(),
      addPackage: (published) => this.packages.push(published),
      sendFunds: (sent) => this.funds.push(sent),
      createCoin: (coinType, value) => this.#create(coinType, value),
      createBalance: (coinType, value) => this.#add({ ...this.#made(coinType, value), isBalance: true }),
      createTyped: (objectType, fields) =>
        this.#add({ id: this.#scope.createId(), objectType, fields, owner: null, spent: false }),
      fail: (status) => this.#fail(status),
      badArgument: (index, kind) => this.#badArgument(index, kind),
    };
  }

  #child(id: string): LiveTyped | undefined {
    const known = this.#children.get(id);
    const stored = known ? undefined : this.#scope.find(id);
    if (!stored) return known;
    const copy = liveCopy(stored);
    if (isCoin(copy)) return undefined;
    this.loaded.push(stored);
    this.#children.set(id, this.#add(copy));
    return copy;
  }

  #add<T extends LiveObject>(object: T): T {
    this.created.push(object);
    return object;
  }

  #create(coinType: string, value: bigint): LiveCoin {
    return this.#add({ ...this.#made(coinType, value), id: this.#scope.createId() });
  }

  #made(coinType: string, value: bigint): LiveCoin {
    return { id: '', coinType, value, owner: null, spent: false };
  }

  #value(argument: Argument, argIdx: number): InputValue {
    switch (argument.$kind) {
      case 'GasCoin':
        if (!this.#scope.gasCoin) throw this.#badArgument(argIdx, { InvalidGasCoinUsage: true });
        return { object: this.#scope.gasCoin };
      case 'Input': {
        const input = this.#scope.inputs[argument.Input];
        if (!input) throw this.#badArgument(argIdx, { IndexOutOfBounds: { idx: argument.Input } });
        return input;
      }
      case 'Result': {
        const resultIdx = argument.Result;
        const [object, ...more] = this.#resultsOf(resultIdx, argIdx);
        if (!object || more.length > 0) throw this.#badArgument(argIdx, { InvalidResultArity: { resultIdx } });
        return { object };
      }
      default: {
        const [resultIdx, secondaryIdx] = argument.NestedResult;
        const object = this.#resultsOf(resultIdx, argIdx)[secondaryIdx];
        if (!object) throw this.#badArgument(argIdx, { SecondaryIndexOutOfBounds: { resultIdx, secondaryIdx } });
        return { object };
      }
    }
  }

  #resultsOf(idx: number, argIdx: number): LiveObject[] {
    const objects = this.#results[idx];
    if (!objects) throw this.#badArgument(argIdx, { IndexOutOfBounds: { idx } });
    return objects;
  }

  #object(argument: Argument, argIdx: number): LiveObject {
    const value = this.#value(argument, argIdx);
    if (!('object' in value)) throw this.#badArgument(argIdx, { TypeMismatch: true });
    if (value.object.spent) throw this.#badArgument(argIdx, { ArgumentWithoutValue: true });
    return value.object;
  }

  #coin(argument: Argument, argIdx: number): LiveCoin {
    const object = this.#object(argument, argIdx);
    if (!isCoin(object) || object.isBalance) throw this.#badArgument(argIdx, { TypeMismatch: true });
    return object;
  }

  #balance(argument: Argument, argIdx: number): LiveCoin {
    const object = this.#object(argument, argIdx);
    if (!isBalance(object)) throw this.#badArgument(argIdx, { TypeMismatch: true });
    return object;
  }

  /** Redeems the whole withdrawal, which is possible once. */
  #redeem(argument: Argument, argIdx: number, coinType: string): bigint {
    const value = this.#value(argument, argIdx);
    if (!('withdrawal' in value) || value.withdrawal.coinType !== coinType)
      throw this.#badArgument(argIdx, { TypeMismatch: true });
    const { withdrawal } = value;
    if (withdrawal.isRedeemed) throw this.#badArgument(argIdx, { ArgumentWithoutValue: true });
    withdrawal.isRedeemed = true;
    this.funds.push({ address: this.#scope.sender, coinType, amount: -withdrawal.amount });
    return withdrawal.amount;
  }

  #typed(argument: Argument, argIdx: number, objectType: string): LiveTyped {
    const object = this.#object(argument, argIdx);
    if (isCoin(object) || object.objectType !== objectType) throw this.#badArgument(argIdx, { TypeMismatch: true });
    return object;
  }

  #pure<T>(argument: Argument, argIdx: number, type: PureType<T>): T {
    const value = this.#value(argument, argIdx);
    if (!('pure' in value)) throw this.#badArgument(argIdx, { TypeMismatch: true });
    if (type.bytes !== undefined && value.pure.length !== type.bytes)
      throw this.#badArgument(argIdx, { InvalidBCSBytes: true });
    try {
      return type.parse(value.pure);
    } catch {
      throw this.#badArgument(argIdx, { InvalidBCSBytes: true });
    }
  }

  #badArgument(argIdx: number, kind: ArgumentError): ExecutionFailure {
    return this.#fail({ CommandArgumentError: { argIdx, kind } });
  }

  #fail(status: FailureStatus): ExecutionFailure {
    return new ExecutionFailure(status, this.#command);
  }
}

const isShared = ({ owner }: LiveObject): boolean => owner !== null && 'sharedSince' in readOwner(owner);
const isBalance = (object: LiveObject): object is LiveCoin => isCoin(object) && object.isBalance === true;

interface PureType<T> {
  readonly bytes?: number | undefined;
  parse(bytes: Uint8Array): T;
}

const U64: PureType<string> = { bytes: 8, parse: (bytes) => bcs.U64.parse(bytes) };
const ADDRESS: PureType<string> = { bytes: 32, parse: (bytes) => bcs.Address.parse(bytes) };
