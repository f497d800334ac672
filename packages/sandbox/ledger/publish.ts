import { bcs } from '@mysten/sui/bcs';
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { CoinMetadata, coinMetadataOf, TreasuryCap, treasuryCapOf, UPGRADE_CAP, UpgradeCap } from './caps.ts';
import type { LiveCoin } from './coins.ts';
import { MAX_U64 } from './constants.ts';
import type { ExecutionFailure, FailureStatus } from './failures.ts';
import { type Instruction, InvalidModuleError, type MoveModule, readModule } from './move-module.ts';
import type { LiveObject, LiveTyped } from './objects.ts';
import type { PublishedPackage } from './packages.ts';

/*
 * The command Publish, for one module whose `init` is a straight line of the calls below: those of a plain coin. They
 * are run on the module's own bytes. Any other module is a package with nothing in it.
 */

export interface PublishFrame {
  readonly sender: string;
  newId(): string;
  addPackage(published: PublishedPackage): void;
  createCoin(coinType: string, value: bigint): LiveCoin;
  createTyped(objectType: string, fields: Uint8Array): LiveTyped;
  fail(status: FailureStatus): ExecutionFailure;
}

type Value =
  | { witness: true }
  | { context: true }
  | { none: true }
  | { bytes: Uint8Array }
  | { address: string }
  | { object: LiveObject };

const FRAMEWORK = ['0x1', '0x2'].map((id) => normalizeSuiAddress(id));

/** Why the sandbox cannot run a module; null when it can. */
export function whyNotPublished({
  modules,
  dependencies,
}: {
  modules: string[];
  dependencies: string[];
}): string | null {
  if (modules.length !== 1) return 'the sandbox chain publishes packages of one module';
  if (dependencies.some((id) => !FRAMEWORK.includes(id))) return 'the sandbox chain knows no packages but 0x1 and 0x2';
  try {
    const module = readModule(bytesOf(modules[0]));
    const unknown = module.init?.find(
      ([name, argument]) => !(name === 'Call' ? String(argument) in CALLS : name in STEPS),
    );
    return unknown ? `the sandbox chain has no Move VM and cannot run ${unknown.join(' ')} in init` : null;
  } catch (error) {
    // Not refused here: a node runs such a transaction, and fails it.
    if (error instanceof InvalidModuleError) return null;
    throw error;
  }
}

const bytesOf = (base64 = ''): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'));

/** Returns the capability to upgrade, as the command does. */
export function publishModules(frame: PublishFrame, modules: readonly string[]): LiveObject[] {
  const bytes = bytesOf(modules[0]);
  let module: MoveModule;
  try {
    module = readModule(bytes);
  } catch (error) {
    if (!(error instanceof InvalidModuleError)) throw error;
    throw frame.fail({ VMVerificationOrDeserializationError: true });
  }
  const id = frame.newId();
  frame.addPackage({ id, version: 1n, upgradeOf: null, module: { name: module.name, bytes } });
  if (module.init !== null) new InitRun(frame, module, id).run(module.init);
  const fields = UpgradeCap.serialize({ package: id, version: 1, policy: 0 }).toBytes();
  return [frame.createTyped(UPGRADE_CAP, fields)];
}

class InitRun {
  readonly coinType: string;
  readonly frame: PublishFrame;
  readonly module: MoveModule;
  readonly stack: Value[] = [];
  readonly locals: Value[] = [{ witness: true }, { context: true }];

  constructor(frame: PublishFrame, module: MoveModule, packageId: string) {
    this.frame = frame;
    this.module = module;
    // The verifier of a node asks for a witness of this name.
    this.coinType = normalizeStructTag(`${packageId}::${module.name}::${module.name.toUpperCase()}`);
    if (!module.structs.includes(module.name.toUpperCase()))
      throw frame.fail({ VMVerificationOrDeserializationError: true });
  }

  run(code: readonly Instruction[]): void {
    for (const [name, argument] of code) {
      if (name === 'Call') CALLS[String(argument)]?.(this);
      else STEPS[name]?.(this, Number(argument));
    }
  }

  pop(): Value {
    const value = this.stack.pop();
    if (!value) throw this.invalid();
    return value;
  }

  bytes(): Uint8Array {
    const value = this.pop();
    if ('bytes' in value) return value.bytes;
    throw this.invalid();
  }

  object(): LiveObject {
    const value = this.pop();
    if ('object' in value) return value.object;
    throw this.invalid();
  }

  invalid(): ExecutionFailure {
    return this.frame.fail({ VMVerificationOrDeserializationError: true });
  }
}

const push = (run: InitRun, value: Value | undefined): void => {
  if (!value) throw run.invalid();
  run.stack.push(value);
};

const read = (run: InitRun, index: number): void => push(run, run.locals[index]);

/** References are the values themselves: `init` owns all of them. */
const STEPS: Record<string, (run: InitRun, index: number) => void> = {
  MoveLoc: read,
  CopyLoc: read,
  MutBorrowLoc: read,
  ImmBorrowLoc: read,
  StLoc: (run, index) => void (run.locals[index] = run.pop()),
  LdConst: (run, index) => {
    const bytes = run.module.constants[index];
    push(run, bytes && { bytes });
  },
  FreezeRef: () => undefined,
  Ret: () => undefined,
};

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** A vector of bytes that must be a text: `std::string` and `std::ascii` abort otherwise. */
function textOf(run: InitRun, bytes: Uint8Array, isAscii = false): string {
  const code = Uint8Array.from(bcs.byteVector().parse(bytes));
  const abort = (name: string) =>
    run.frame.fail({
      MoveAbort: [
        {
          module: { address: FRAMEWORK[0]?.slice(2) ?? '', name },
          function: 0,
          instruction: 0,
          functionName: 'string',
        },
        1n,
      ],
    });
  if (isAscii && code.some((byte) => byte > 127)) throw abort('ascii');
  try {
    return utf8.decode(code);
  } catch {
    throw abort('string');
  }
}

function createCurrency(run: InitRun): void {
  run.pop();
  run.pop();
  const [description, name, symbol] = [
    textOf(run, run.bytes()),
    textOf(run, run.bytes()),
    textOf(run, run.bytes(), true),
  ];
  const decimals = run.bytes()[0] ?? 0;
  if (!('witness' in run.pop())) throw run.invalid();
  const { frame, coinType } = run;
  const cap = frame.createTyped(treasuryCapOf(coinType), TreasuryCap.serialize({ totalSupply: 0 }).toBytes());
  const fields = CoinMetadata.serialize({ decimals, name, symbol, description, iconUrl: null }).toBytes();
  run.stack.push({ object: cap }, { object: frame.createTyped(coinMetadataOf(coinType), fields) });
}

function mint(run: InitRun): void {
  run.pop();
  const amount = BigInt(bcs.U64.parse(run.bytes()));
  const cap = run.object();
  if (!('fields' in cap)) throw run.invalid();
  const totalSupply = BigInt(TreasuryCap.parse(cap.fields).totalSupply) + amount;
  if (totalSupply > MAX_U64) throw run.frame.fail({ CoinBalanceOverflow: true });
  cap.fields = TreasuryCap.serialize({ totalSupply }).toBytes();
  run.stack.push({ object: run.frame.createCoin(run.coinType, amount) });
}

function transfer(run: InitRun): void {
  const recipient = run.pop();
  const object = run.object();
  if (!('address' in recipient)) throw run.invalid();
  object.owner = recipient.address;
  object.spent = true;
}

const call = (name: string): string => {
  const [address = '', ...rest] = name.split('::');
  return [normalizeSuiAddress(address), ...rest].join('::');
};

const CALLS: Record<string, (run: InitRun) => void> = {
  [call('0x1::option::none')]: (run) => push(run, { none: true }),
  [call('0x2::coin::create_currency')]: createCurrency,
  [call('0x2::coin::mint')]: mint,
  [call('0x2::transfer::public_transfer')]: transfer,
  [call('0x2::tx_context::sender')]: (run) => {
    run.pop();
    push(run, { address: run.frame.sender });
  },
};
