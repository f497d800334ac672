import type { FundsChange } from './address-balances.ts';
import type { LiveCoin } from './coins.ts';
import type { MoveEvent } from './events.ts';
import type { ArgumentError, ExecutionFailure, FailureStatus } from './failures.ts';
import type { LiveObject, LiveTyped } from './objects.ts';
import type { PublishedPackage } from './packages.ts';

/** The sandbox as a call sees it. */
export interface MoveFrame {
  readonly sender: string;
  readonly types: readonly string[];
  coin(index: number): LiveCoin;
  balance(index: number): LiveCoin;
  /** The amount of a withdrawal, which can be redeemed once. */
  redeem(index: number, coinType: string): bigint;
  typed(index: number, objectType: string): LiveTyped;
  /** A pure argument; `bytes` where its size is fixed. */
  pure<T>(index: number, type: { parse(bytes: Uint8Array): T }, bytes?: number): T;
  /** A field of an object that the transaction may write. */
  child(id: string): LiveTyped | undefined;
  addChild(child: LiveTyped): void;
  emit(event: MoveEvent): void;
  isGasCoin(coin: LiveCoin): boolean;
  newId(): string;
  addPackage(published: PublishedPackage): void;
  sendFunds(sent: FundsChange): void;
  createCoin(coinType: string, value: bigint): LiveCoin;
  createBalance(coinType: string, value: bigint): LiveCoin;
  createTyped(objectType: string, fields: Uint8Array): LiveTyped;
  fail(status: FailureStatus): ExecutionFailure;
  badArgument(index: number, kind: ArgumentError): ExecutionFailure;
}

export interface MoveCall {
  types: number;
  args: number;
  run: (frame: MoveFrame) => LiveObject[];
}
