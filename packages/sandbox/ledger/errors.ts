export const GrpcStatus = {
  ok: 0,
  invalidArgument: 3,
  notFound: 5,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

type GrpcStatusCode = (typeof GrpcStatus)[keyof typeof GrpcStatus];

export class RpcFailure extends Error {
  readonly code: GrpcStatusCode;

  constructor(code: GrpcStatusCode, message: string) {
    super(message);
    this.name = 'RpcFailure';
    this.code = code;
  }
}

export function invalidArgument(message: string): RpcFailure {
  return new RpcFailure(GrpcStatus.invalidArgument, message);
}

export function notFound(message: string): RpcFailure {
  return new RpcFailure(GrpcStatus.notFound, message);
}

export function outOfRange(message: string): RpcFailure {
  return new RpcFailure(GrpcStatus.outOfRange, message);
}

export function unimplemented(message: string): RpcFailure {
  return new RpcFailure(GrpcStatus.unimplemented, message);
}

export function unavailable(message: string): RpcFailure {
  return new RpcFailure(GrpcStatus.unavailable, message);
}

/** A transaction that may not run at all, so nothing is charged. Its text is a validator's. */
export class TransactionRejected extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TransactionRejected';
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
