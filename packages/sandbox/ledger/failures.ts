/** The variants of Sui's `CommandArgumentError`. */
export type ArgumentError =
  | { TypeMismatch: true }
  | { InvalidBCSBytes: true }
  | { InvalidGasCoinUsage: true }
  | { InvalidTransferObject: true }
  | { ArgumentWithoutValue: true }
  | { IndexOutOfBounds: { idx: number } }
  | { SecondaryIndexOutOfBounds: { resultIdx: number; secondaryIdx: number } }
  | { InvalidResultArity: { resultIdx: number } };

interface MoveAbortLocation {
  module: { address: string; name: string };
  function: number;
  instruction: number;
  functionName: string;
}

/** The variants of Sui's `ExecutionFailureStatus` that coins can cause. */
export type FailureStatus =
  | { InsufficientGas: true }
  | { InsufficientCoinBalance: true }
  | { CoinBalanceOverflow: true }
  | { AddressDeniedForCoin: { address: string; coinType: string } }
  | { CommandArgumentError: { argIdx: number; kind: ArgumentError } }
  | { UnusedValueWithoutDrop: { resultIdx: number; secondaryIdx: number } }
  | { ArityMismatch: true }
  | { VMVerificationOrDeserializationError: true }
  | { MoveAbort: [MoveAbortLocation, bigint] };

/**
 * A transaction that ran and failed: it is recorded, its gas is charged, and all other effects are dropped. `command` is
 * null when no single one failed.
 */
export class ExecutionFailure extends Error {
  readonly status: FailureStatus;
  readonly command: number | null;

  constructor(status: FailureStatus, command: number | null) {
    super(command === null ? debugText(status) : `${debugText(status)} in command ${command}`);
    this.name = 'ExecutionFailure';
    this.status = status;
    this.command = command;
  }
}

/** A full node describes a failure by the debug form of its Rust enum, field names in snake case. */
function debugText(value: FailureStatus | ArgumentError): string {
  if ('MoveAbort' in value) {
    const [at, code] = value.MoveAbort;
    return `MoveAbort(MoveLocation { module: ModuleId { address: ${at.module.address}, name: Identifier("${at.module.name}") }, function: ${at.function}, instruction: ${at.instruction}, function_name: Some("${at.functionName}") }, ${code})`;
  }
  if ('CommandArgumentError' in value) {
    const { argIdx, kind } = value.CommandArgumentError;
    return `CommandArgumentError { arg_idx: ${argIdx}, kind: ${debugText(kind)} }`;
  }
  const [name, fields] = Object.entries(value)[0] ?? ['Unknown', true];
  if (fields === true) return name;
  const inner = Object.entries(fields).map(
    ([key, field]) => `${key === 'idx' ? key : key.replace('Idx', '_idx')}: ${String(field)}`,
  );
  return `${name} { ${inner.join(', ')} }`;
}
