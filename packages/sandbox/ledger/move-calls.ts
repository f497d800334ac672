import { bcs } from '@mysten/sui/bcs';
import { isValidStructTag, normalizeStructTag, parseStructTag } from '@mysten/sui/utils';
import { findBookCall } from './book.ts';
import { Publisher, PUBLISHER, TreasuryCap, treasuryCapOf, UPGRADE_CAP, UpgradeCap } from './caps.ts';
import type { LiveCoin } from './coins.ts';
import { MAKER_PACKAGE, MAX_U64 } from './constants.ts';
import type { MoveCall, MoveFrame } from './move-frame.ts';
import type { LiveObject } from './objects.ts';
import type { PackageStore } from './packages.ts';

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

type Form = 'coin' | 'balance';

/** A coin or balance of the type argument's currency. */
function fundsAt(frame: MoveFrame, index: number, form: Form): LiveCoin {
  const funds = frame[form](index);
  if (funds.coinType !== typeArgument(frame)) throw frame.badArgument(index, { TypeMismatch: true });
  return funds;
}

/** The same, taken by value. */
function takenFunds(frame: MoveFrame, index: number, form: Form): LiveCoin {
  const funds = fundsAt(frame, index, form);
  if (frame.isGasCoin(funds)) throw frame.badArgument(index, { InvalidGasCoinUsage: true });
  return funds;
}

const created = (frame: MoveFrame, form: Form, value: bigint): LiveCoin[] => [
  form === 'coin' ? frame.createCoin(typeArgument(frame), value) : frame.createBalance(typeArgument(frame), value),
];

const redeemFunds = (form: Form) => (frame: MoveFrame) => created(frame, form, frame.redeem(0, typeArgument(frame)));

const sendFunds =
  (form: Form) =>
  (frame: MoveFrame): LiveObject[] => {
    const funds = takenFunds(frame, 0, form);
    frame.sendFunds({ address: frame.pure(1, bcs.Address, 32), coinType: funds.coinType, amount: funds.value });
    consume(funds);
    return [];
  };

const convert = (from: Form, into: Form) => (frame: MoveFrame) => {
  const funds = takenFunds(frame, 0, from);
  const { value } = funds;
  consume(funds);
  return created(frame, into, value);
};

const split = (form: Form) => (frame: MoveFrame) => {
  const funds = fundsAt(frame, 0, form);
  const value = BigInt(frame.pure(1, bcs.U64, 8));
  if (value > funds.value) throw frame.fail({ InsufficientCoinBalance: true });
  funds.value -= value;
  return created(frame, form, value);
};

const join =
  (form: Form) =>
  (frame: MoveFrame): LiveObject[] => {
    const [into, funds] = [fundsAt(frame, 0, form), takenFunds(frame, 1, form)];
    if (into === funds) throw frame.badArgument(1, { ArgumentWithoutValue: true });
    if (into.value + funds.value > MAX_U64) throw frame.fail({ CoinBalanceOverflow: true });
    into.value += funds.value;
    consume(funds);
    return [];
  };

const destroyZero =
  (form: Form) =>
  (frame: MoveFrame): LiveObject[] => {
    const funds = takenFunds(frame, 0, form);
    if (funds.value > 0n) throw frame.fail({ MoveAbort: [DESTROY_ZERO, 0n] });
    consume(funds);
    return [];
  };

const callsOf = (form: Form): Record<string, MoveCall> =>
  Object.fromEntries(
    Object.entries<MoveCall>({
      zero: { types: 1, args: 0, run: (frame) => created(frame, form, 0n) },
      destroy_zero: { types: 1, args: 1, run: destroyZero(form) },
      redeem_funds: { types: 1, args: 1, run: redeemFunds(form) },
      send_funds: { types: 1, args: 2, run: sendFunds(form) },
      split: { types: 1, args: 2, run: split(form) },
      join: { types: 1, args: 2, run: join(form) },
    }).map(([name, call]) => [`2::${form}::${name}`, call]),
  );

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
  ...callsOf('coin'),
  ...callsOf('balance'),
  '2::coin::into_balance': { types: 1, args: 1, run: convert('coin', 'balance') },
  '2::coin::from_balance': { types: 1, args: 1, run: convert('balance', 'coin') },
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

/** The sandbox runs calls of the framework, of its maker, and of a package that has the bytes of the Book. */
export function findCall(
  { package: id, module, function: name }: CallName,
  packages: PackageStore,
): MoveCall | undefined {
  const book = module === 'book' && packages.get(id)?.isBook === true;
  return book ? findBookCall(id, name) : CALLS[`${BigInt(id)}::${module}::${name}`];
}
