import { bcs } from '@mysten/sui/bcs';
import { isValidStructTag, normalizeStructTag, parseStructTag } from '@mysten/sui/utils';
import type { SentFunds } from './address-balances.ts';
import { Publisher, PUBLISHER, TreasuryCap, treasuryCapOf, UPGRADE_CAP, UpgradeCap } from './caps.ts';
import type { LiveCoin } from './coins.ts';
import { MAKER_PACKAGE, MAX_U64 } from './constants.ts';
import type { ExecutionFailure, ArgumentError, FailureStatus } from './failures.ts';
import type { LiveObject, LiveTyped } from './objects.ts';
import type { PublishedPackage } from './packages.ts';

export interface MoveFrame {
  readonly types: readonly string[];
  coin(index: number): LiveCoin;
  typed(index: number, objectType: string): LiveTyped;
  /** A pure argument; `bytes` where its size is fixed. */
  pure<T>(index: number, type: { parse(bytes: Uint8Array): T }, bytes?: number): T;
  isGasCoin(coin: LiveCoin): boolean;
  newId(): string;
  addPackage(published: PublishedPackage): void;
  sendFunds(sent: SentFunds): void;
  createCoin(coinType: string, value: bigint): LiveCoin;
  createTyped(objectType: string, fields: Uint8Array): LiveTyped;
  fail(status: FailureStatus): ExecutionFailure;
  badArgument(index: number, kind: ArgumentError): ExecutionFailure;
}

interface MoveCall {
  types: number;
  args: number;
  run: (frame: MoveFrame) => LiveObject[];
}

/** Ends an object: it is deleted, or never written. */
export function consume(object: LiveObject): void {
  object.spent = true;
  object.owner = null;
  if ('value' in object) object.value = 0n;
}

const DESTROY_ZERO = {
  module: { address: '0000000000000000000000000000000000000000000000000000000000000002', name: 'balance' },
  function: 5,
  instruction: 7,
  functionName: 'destroy_zero',
};

/** The first argument by value: a coin of the type argument's currency. */
function takenCoin(frame: MoveFrame): LiveCoin {
  const coin = frame.coin(0);
  if (frame.isGasCoin(coin)) throw frame.badArgument(0, { InvalidGasCoinUsage: true });
  if (coin.coinType !== typeArgument(frame)) throw frame.badArgument(0, { TypeMismatch: true });
  return coin;
}

function sendFunds(frame: MoveFrame): LiveObject[] {
  const { coinType, value: amount } = takenCoin(frame);
  frame.sendFunds({ address: frame.pure(1, bcs.Address, 32), coinType, amount });
  consume(frame.coin(0));
  return [];
}

function destroyZero(frame: MoveFrame): LiveObject[] {
  const coin = takenCoin(frame);
  if (coin.value > 0n) throw frame.fail({ MoveAbort: [DESTROY_ZERO, 0n] });
  consume(coin);
  return [];
}

function mint(frame: MoveFrame): LiveObject[] {
  const coinType = typeArgument(frame);
  const cap = frame.typed(0, treasuryCapOf(coinType));
  const amount = BigInt(frame.pure(1, bcs.U64, 8));
  const totalSupply = BigInt(TreasuryCap.parse(cap.fields).totalSupply) + amount;
  if (totalSupply > MAX_U64) throw frame.fail({ CoinBalanceOverflow: true });
  cap.fields = TreasuryCap.serialize({ totalSupply }).toBytes();
  return [frame.createCoin(coinType, amount)];
}

const typeArgument = ({ types: [type = ''] }: MoveFrame): string => normalizeStructTag(type);

/** `publish(module, name)` returns the three objects that a real publication leaves to its sender. */
function publish(frame: MoveFrame): LiveObject[] {
  const [moduleName, name] = [frame.pure(0, bcs.String), frame.pure(1, bcs.String)];
  const id = frame.newId();
  const coinType = `${id}::${moduleName}::${name}`;
  if (!isValidStructTag(coinType) || name.includes('<')) throw frame.badArgument(1, { InvalidBCSBytes: true });
  frame.addPackage({ id, version: 1n, upgradeOf: null });
  return [
    frame.createTyped(treasuryCapOf(coinType), TreasuryCap.serialize({ totalSupply: 0 }).toBytes()),
    frame.createTyped(UPGRADE_CAP, UpgradeCap.serialize({ package: id, version: 1, policy: 0 }).toBytes()),
    frame.createTyped(PUBLISHER, Publisher.serialize({ package: id.slice(2), moduleName }).toBytes()),
  ];
}

/** An upgrade of the package: its cap names the new one from then on. */
function upgrade(frame: MoveFrame): LiveObject[] {
  const cap = frame.typed(0, UPGRADE_CAP);
  const { package: upgradeOf, version: before, policy } = UpgradeCap.parse(cap.fields);
  const [id, version] = [frame.newId(), BigInt(before) + 1n];
  frame.addPackage({ id, version, upgradeOf });
  cap.fields = UpgradeCap.serialize({ package: id, version, policy }).toBytes();
  return [];
}

const FRAMEWORK = 0xfn;

/** An object of a type that no framework package defines, with nothing but an id. */
function makeObject(frame: MoveFrame): LiveObject[] {
  const type = typeArgument(frame);
  if (BigInt(parseStructTag(type).address) <= FRAMEWORK) throw frame.badArgument(0, { TypeMismatch: true });
  return [frame.createTyped(type, new Uint8Array())];
}

function burn(objectType: string) {
  return (frame: MoveFrame): LiveObject[] => {
    consume(frame.typed(0, objectType));
    return [];
  };
}

/** Calls of 0x2 do what the framework's do; those of MAKER_PACKAGE stand for publishing a package. */
const CALLS: Record<string, MoveCall> = {
  '2::coin::zero': { types: 1, args: 0, run: (frame) => [frame.createCoin(typeArgument(frame), 0n)] },
  '2::coin::destroy_zero': { types: 1, args: 1, run: destroyZero },
  '2::coin::send_funds': { types: 1, args: 2, run: sendFunds },
  '2::coin::mint': { types: 1, args: 2, run: mint },
  '2::package::make_immutable': { types: 0, args: 1, run: burn(UPGRADE_CAP) },
  '2::package::burn_publisher': { types: 0, args: 1, run: burn(PUBLISHER) },
  [`${BigInt(MAKER_PACKAGE)}::maker::publish`]: { types: 0, args: 2, run: publish },
  [`${BigInt(MAKER_PACKAGE)}::maker::upgrade`]: { types: 0, args: 1, run: upgrade },
  [`${BigInt(MAKER_PACKAGE)}::maker::object`]: { types: 1, args: 0, run: makeObject },
};

interface CallName {
  package: string;
  module: string;
  function: string;
}

export const findCall = ({ package: id, module, function: name }: CallName): MoveCall | undefined =>
  CALLS[`${BigInt(id)}::${module}::${name}`];
