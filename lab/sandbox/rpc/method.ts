/** A gRPC method on bytes, one response or a stream of them. Framing and messages are independent of each other. */
export type Method = (request: Uint8Array) => Promise<readonly Uint8Array[]>;

/** Methods by `package.Service/Method`. */
export type MethodTable = Readonly<Record<string, Method>>;

interface Decoder<T> {
  fromBinary(bytes: Uint8Array): T;
}

interface Encoder<T extends object> {
  toBinary(message: T): Uint8Array;
}

/** Wraps a typed handler of one request and one response. */
export function unary<Request, Response extends object>(
  request: Decoder<Request>,
  response: Encoder<Response>,
  handle: (request: Request) => Response | Promise<Response>,
): Method {
  return async (bytes) => [response.toBinary(await handle(request.fromBinary(bytes)))];
}

/** Wraps a typed handler of one request and the whole stream of its responses. */
export function serverStream<Request, Response extends object>(
  request: Decoder<Request>,
  response: Encoder<Response>,
  handle: (request: Request) => readonly Response[],
): Method {
  return async (bytes) => handle(request.fromBinary(bytes)).map((message) => response.toBinary(message));
}
