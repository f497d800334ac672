import type { IncomingMessage, ServerResponse } from 'node:http';
import { GrpcStatus, invalidArgument, messageOf, RpcFailure, unavailable, unimplemented } from '../ledger/errors.ts';
import type { MethodTable } from '../rpc/method.ts';
import { pathOf, readBody, send } from './http.ts';

const MESSAGE_FLAG = 0x00;
const TRAILER_FLAG = 0x80;
const FRAME_HEADER_BYTES = 5;

/** Responds to one gRPC-web call, binary or base64 (`-text`). Without methods every call is UNAVAILABLE. */
export async function handleGrpcWeb(
  request: IncomingMessage,
  response: ServerResponse,
  methods: MethodTable | null,
  log: (line: string) => void,
): Promise<void> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('application/grpc-web'))
    return send(response, 415, 'text/plain', 'expected a gRPC-web request');
  const isText = contentType.startsWith('application/grpc-web-text');
  const method = pathOf(request).slice(1);
  const body = await readBody(request);
  const reply = await callMethod(method, isText ? Buffer.from(body.toString('ascii'), 'base64') : body, methods, log);
  if (isText) send(response, 200, 'application/grpc-web-text', reply.toString('base64'));
  else send(response, 200, 'application/grpc-web+proto', reply);
}

async function callMethod(name: string, body: Buffer, methods: MethodTable | null, log: (line: string) => void) {
  try {
    if (!methods) throw unavailable('the sandbox chain is not available');
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (!method) throw unimplemented(`${name} is not implemented by the sandbox chain`);
    const messages = await method(unframe(body));
    return Buffer.concat([...messages.map((message) => frame(MESSAGE_FLAG, message)), trailer(GrpcStatus.ok, '')]);
  } catch (error) {
    if (error instanceof RpcFailure) return trailer(error.code, error.message);
    log(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
    return trailer(GrpcStatus.internal, messageOf(error));
  }
}

function unframe(body: Buffer): Uint8Array {
  if (body.length < FRAME_HEADER_BYTES || body[0] !== MESSAGE_FLAG) throw invalidArgument('malformed gRPC-web frame');
  const message = body.subarray(FRAME_HEADER_BYTES);
  if (body.readUInt32BE(1) !== message.length) throw invalidArgument('malformed gRPC-web frame');
  return message;
}

function frame(flag: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUInt8(flag, 0);
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

function trailer(status: number, message: string): Buffer {
  const lines = [`grpc-status:${status}`, ...(message ? [`grpc-message:${encodeURIComponent(message)}`] : [])];
  return frame(TRAILER_FLAG, Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
}
