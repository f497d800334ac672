export type Method = (request: Uint8Array) => Promise<readonly Uint8Array[]>;

export type MethodTable = Readonly<Record<string, Method>>;

interface Decoder<T> {
  fromBinary(bytes: Uint8Array): T;
}

interface Encoder<T extends object> {
  toBinary(message: T): Uint8Array;
}

export function unary<Request, Response extends object>(
  request: Decoder<Request>,
  response: Encoder<Response>,
  handle: (request: Request) => Response | Promise<Response>,
): Method {
  return async (bytes) => [response.toBinary(await handle(request.fromBinary(bytes)))];
}

export function serverStream<Request, Response extends object>(
  request: Decoder<Request>,
  response: Encoder<Response>,
  handle: (request: Request) => readonly Response[],
): Method {
  return async (bytes) => handle(request.fromBinary(bytes)).map((message) => response.toBinary(message));
}
