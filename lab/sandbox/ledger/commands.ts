import { bcs } from '@mysten/sui/bcs';
import { normalizeStructTag } from '@mysten/sui/utils';
import type { LiveCoin } from './coins.ts';
import { MAX_U64 } from './constants.ts';
import { type ArgumentError, ExecutionFailure, type FailureStatus } from './failures.ts';
import type { Argument, Command } from './transaction-data.ts';

export type InputValue = { readonly pure: Uint8Array } | { readonly coin: LiveCoin };

interface Scope {
  readonly gasCoin: LiveCoin;
  readonly inputs: readonly InputValue[];
  /** Ids for the coins that commands create, in order. */
  readonly createId: () => string;
}

/** Runs the commands of one transaction on a copy of the coins: the caller keeps or drops the result. */
export class CommandRun {
  readonly created: LiveCoin[] = [];
  readonly #scope: Scope;
  readonly #results: LiveCoin[][] = [];
  #command = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Throws ExecutionFailure at the first command that cannot be executed, or when a created coin is left over. */
  run(commands: readonly Command[]): void {
    for (const [index, command] of commands.entries()) {
      this.#command = index;
      this.#results.push(this.#perform(command));
    }
    for (const [resultIdx, coins] of this.#results.entries())
      for (const [secondaryIdx, coin] of coins.entries())
        if (!coin.spent) throw new ExecutionFailure({ UnusedValueWithoutDrop: { resultIdx, secondaryIdx } }, null);
  }

  #perform(command: Command): LiveCoin[] {
    switch (command.$kind) {
      case 'SplitCoins':
        return this.#split(command.SplitCoins);
      case 'MergeCoins':
        return this.#merge(command.MergeCoins);
      case 'TransferObjects':
        return this.#transfer(command.TransferObjects);
      case 'MoveCall':
        return this.#call(command.MoveCall);
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
      const coin = this.#coin(argument, index);
      coin.owner = recipient;
      coin.spent = true;
    }
    return [];
  }

  /** `0x2::coin::zero<T>` and `destroy_zero<T>`; checkValidity rejects all other calls. */
  #call(call: { function: string; typeArguments: string[]; arguments: Argument[] }): LiveCoin[] {
    const expected = call.function === 'zero' ? 0 : 1;
    const [coinType, ...rest] = call.typeArguments;
    if (!coinType || rest.length > 0 || call.arguments.length !== expected) throw this.#fail({ ArityMismatch: true });
    const [argument] = call.arguments;
    if (!argument) return [this.#create(normalizeStructTag(coinType), 0n)];
    const coin = this.#coin(argument, 0);
    if (coin === this.#scope.gasCoin) throw this.#badArgument(0, { InvalidGasCoinUsage: true });
    if (coin.coinType !== normalizeStructTag(coinType)) throw this.#badArgument(0, { TypeMismatch: true });
    if (coin.value > 0n) throw this.#fail({ MoveAbort: [DESTROY_ZERO, 0n] });
    consume(coin);
    return [];
  }

  #create(coinType: string, value: bigint): LiveCoin {
    const coin: LiveCoin = { id: this.#scope.createId(), coinType, value, owner: null, spent: false };
    this.created.push(coin);
    return coin;
  }

  #value(argument: Argument, argIdx: number): InputValue {
    switch (argument.$kind) {
      case 'GasCoin':
        return { coin: this.#scope.gasCoin };
      case 'Input': {
        const input = this.#scope.inputs[argument.Input];
        if (!input) throw this.#badArgument(argIdx, { IndexOutOfBounds: { idx: argument.Input } });
        return input;
      }
      case 'Result': {
        const resultIdx = argument.Result;
        const [coin, ...more] = this.#resultsOf(resultIdx, argIdx);
        if (!coin || more.length > 0) throw this.#badArgument(argIdx, { InvalidResultArity: { resultIdx } });
        return { coin };
      }
      default: {
        const [resultIdx, secondaryIdx] = argument.NestedResult;
        const coin = this.#resultsOf(resultIdx, argIdx)[secondaryIdx];
        if (!coin) throw this.#badArgument(argIdx, { SecondaryIndexOutOfBounds: { resultIdx, secondaryIdx } });
        return { coin };
      }
    }
  }

  #resultsOf(idx: number, argIdx: number): LiveCoin[] {
    const coins = this.#results[idx];
    if (!coins) throw this.#badArgument(argIdx, { IndexOutOfBounds: { idx } });
    return coins;
  }

  #coin(argument: Argument, argIdx: number): LiveCoin {
    const value = this.#value(argument, argIdx);
    if (!('coin' in value)) throw this.#badArgument(argIdx, { TypeMismatch: true });
    if (value.coin.spent) throw this.#badArgument(argIdx, { ArgumentWithoutValue: true });
    return value.coin;
  }

  #pure<T>(argument: Argument, argIdx: number, type: PureType<T>): T {
    const value = this.#value(argument, argIdx);
    if (!('pure' in value)) throw this.#badArgument(argIdx, { TypeMismatch: true });
    if (value.pure.length !== type.bytes) throw this.#badArgument(argIdx, { InvalidBCSBytes: true });
    return type.parse(value.pure);
  }

  #badArgument(argIdx: number, kind: ArgumentError): ExecutionFailure {
    return this.#fail({ CommandArgumentError: { argIdx, kind } });
  }

  #fail(status: FailureStatus): ExecutionFailure {
    return new ExecutionFailure(status, this.#command);
  }
}

/** A BCS type of fixed size. */
interface PureType<T> {
  readonly bytes: number;
  parse(bytes: Uint8Array): T;
}

const U64: PureType<string> = { bytes: 8, parse: (bytes) => bcs.U64.parse(bytes) };
const ADDRESS: PureType<string> = { bytes: 32, parse: (bytes) => bcs.Address.parse(bytes) };

const DESTROY_ZERO = {
  module: { address: '0000000000000000000000000000000000000000000000000000000000000002', name: 'balance' },
  function: 5,
  instruction: 7,
  functionName: 'destroy_zero',
};

/** The coin ends here: it has no owner and is deleted (or was never written). */
function consume(coin: LiveCoin): void {
  coin.spent = true;
  coin.owner = null;
  coin.value = 0n;
}
