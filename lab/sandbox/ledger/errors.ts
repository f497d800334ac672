/** The gRPC status codes that the sandbox responds with. */
export const GrpcStatus = {
  ok: 0,
  invalidArgument: 3,
  notFound: 5,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

export type GrpcStatusCode = (typeof GrpcStatus)[keyof typeof GrpcStatus];

/** A rejection that reaches the client as a gRPC status. */
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

/**
 * A transaction that may not run at all, so nothing is charged. Its text is a validator's; execution and simulation
 * wrap it in different sentences, as a full node does.
 */
export class TransactionRejected extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TransactionRejected';
  }
}

/** The text of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
