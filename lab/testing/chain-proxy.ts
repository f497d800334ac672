import { randomBytes } from 'node:crypto';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GrpcTypes } from '@mysten/sui/grpc';
import { createSuiClient } from '#chain/client.ts';

/** Calls that decide about money or votes: the execution of a transaction, the look-up of one, and a balance. */
const METHODS = { execute: '/ExecuteTransaction', lookUp: '/GetTransaction', balance: '/GetBalance' } as const;
const KINDS: readonly ChainCall[] = ['execute', 'lookUp', 'balance'];
export type ChainCall = keyof typeof METHODS;

const STATUS = {
  refused: 3,
  deadline: 4,
  unseen: 5,
  exhausted: 8,
  aborted: 10,
  internal: 13,
  unavailable: 14,
} as const;

/**
 * A status · limited: HTTP 429 without any gRPC · cut: the connection ends · silence: no response, ever · nonsense: random bytes as if they
 * were a result.
 */
export type ChainFault = keyof typeof STATUS | 'limited' | 'cut' | 'silence' | 'nonsense';

interface Failure {
  fault: ChainFault;
  /** true: the chain executes the call, and only its response is lost. */
  isDone: boolean;
  /** The chain executes the call that much later, after the response. */
  laterMs?: number | undefined;
}

export interface ChainProxy {
  url: string;
  fail(call: ChainCall | 'all', fault: ChainFault, options?: { isDone?: boolean; laterMs?: number }): void;
  heal(): void;
  calls: Record<ChainCall, number>;
  delayMs: number;
  /** Objects do not exist, like those that a node has not seen yet. */
  isBehind: boolean;
  /** Responses to executions lack their balance changes, like those of a node whose index is late. */
  hidesChanges: boolean;
  close(): void;
}

const FRAME_HEADER_BYTES = 5;

function withoutChanges(body: Buffer, contentType = ''): Buffer {
  if (contentType.includes('-text'))
    return Buffer.from(withoutChanges(Buffer.from(body.toString('ascii'), 'base64')).toString('base64'));
  if (body.length < FRAME_HEADER_BYTES || body[0] !== 0) return body;
  const end = FRAME_HEADER_BYTES + body.readUInt32BE(1);
  const message = GrpcTypes.ExecuteTransactionResponse.fromBinary(body.subarray(FRAME_HEADER_BYTES, end));
  if (message.transaction) message.transaction.balanceChanges = [];
  const bytes = GrpcTypes.ExecuteTransactionResponse.toBinary(message);
  return Buffer.concat([frame(0, bytes), body.subarray(end)]);
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const callOf = ({ url = '' }: IncomingMessage): ChainCall | null =>
  KINDS.find((kind) => url.endsWith(METHODS[kind])) ?? null;

function frame(flag: number, content: Uint8Array): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUInt8(flag);
  header.writeUInt32BE(content.length, 1);
  return Buffer.concat([header, content]);
}

function failWith(fault: ChainFault, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (fault === 'silence') return;
  if (fault === 'cut') return void outgoing.destroy();
  if (fault === 'limited') return void outgoing.writeHead(429, { 'content-type': 'text/plain' }).end('slow down');
  const isNonsense = fault === 'nonsense';
  const lines = isNonsense
    ? 'grpc-status: 0\r\n'
    : `grpc-status:${STATUS[fault]}\r\ngrpc-message:${encodeURIComponent(`made to be ${fault}`)}\r\n`;
  const message = isNonsense ? frame(0, randomBytes(80)) : Buffer.alloc(0);
  const trailer = Buffer.concat([message, frame(0x80, Buffer.from(lines))]);
  const isText = incoming.headers['content-type']?.includes('-text') ?? false;
  outgoing.writeHead(200, { 'content-type': isText ? 'application/grpc-web-text' : 'application/grpc-web+proto' });
  outgoing.end(isText ? trailer.toString('base64') : trailer);
}

const OBJECTS = '/BatchGetObjects';
const NOT_FOUND = { code: STATUS.unseen, message: 'not found', details: [] };

function objectsUnseen(body: Buffer, contentType = ''): Buffer {
  const isText = contentType.includes('-text');
  const sent = isText ? Buffer.from(body.toString('ascii'), 'base64') : body;
  const { requests } = GrpcTypes.BatchGetObjectsRequest.fromBinary(sent.subarray(FRAME_HEADER_BYTES));
  const objects = requests.map(() => ({ result: { oneofKind: 'error' as const, error: NOT_FOUND } }));
  const bytes = GrpcTypes.BatchGetObjectsResponse.toBinary(GrpcTypes.BatchGetObjectsResponse.create({ objects }));
  const answer = Buffer.concat([frame(0, bytes), frame(0x80, Buffer.from('grpc-status: 0\r\n'))]);
  return isText ? Buffer.from(answer.toString('base64')) : answer;
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  respond: (response: IncomingMessage) => void,
): void {
  const { method, headers, url = '' } = incoming;
  const onward = forward(target + url, { method, headers }, respond);
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}

function sendLater(target: string, { method, headers, url = '' }: IncomingMessage, body: Buffer): void {
  const onward = forward(target + url, { method, headers }, (response) => response.resume());
  onward.on('error', () => undefined);
  onward.end(body);
}

/** How long a proxy keeps an unused connection: as long as the sandbox, whose headers it passes on. */
const KEEP_ALIVE_MS = 72_000;

/** Proxy between server and chain, with which a test can stop everything between two steps. */
export async function startChainProxy(target: string): Promise<ChainProxy> {
  const failures = new Map<ChainCall | 'all', Failure>();
  const listener = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    const call = callOf(incoming);
    if (call) proxy.calls[call] += 1;
    const failure = failures.get('all') ?? (call && failures.get(call));
    if (failure && !failure.isDone) {
      // Reads the body to its end: otherwise the next call on the same connection would wait.
      void readAll(incoming).then((body) => {
        failWith(failure.fault, incoming, outgoing);
        if (failure.laterMs !== undefined) setTimeout(() => sendLater(target, incoming, body), failure.laterMs);
        return body;
      });
      return;
    }
    if (proxy.isBehind && incoming.url?.endsWith(OBJECTS)) {
      const type = incoming.headers['content-type'];
      void readAll(incoming).then((body) =>
        outgoing.writeHead(200, { 'content-type': type }).end(objectsUnseen(body, type)),
      );
      return;
    }
    passOn(target, incoming, outgoing, (response) => {
      const status = response.statusCode ?? 500;
      if (failure) {
        response.resume();
        response.on('end', () => failWith(failure.fault, incoming, outgoing));
        return;
      }
      if (call === 'execute' && proxy.hidesChanges) {
        const { 'content-length': _, ...headers } = response.headers;
        void readAll(response).then((body) =>
          outgoing.writeHead(status, headers).end(withoutChanges(body, headers['content-type'])),
        );
        return;
      }
      setTimeout(() => {
        outgoing.writeHead(status, response.headers);
        response.pipe(outgoing);
      }, proxy.delayMs);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const proxy: ChainProxy = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    fail: (call, fault, { isDone = false, laterMs } = {}) => void failures.set(call, { fault, isDone, laterMs }),
    heal: () => {
      failures.clear();
      proxy.isBehind = false;
    },
    calls: { execute: 0, lookUp: 0, balance: 0 },
    delayMs: 0,
    isBehind: false,
    hidesChanges: false,
    close: () => (listener.closeAllConnections(), listener.close()),
  };
  return proxy;
}

const CHAIN_ID_HEADER = 'x-sui-chain-id';

async function chainIdAt(url: string): Promise<string> {
  const client = createSuiClient({ network: 'localnet', url });
  return (await client.core.getChainIdentifier()).chainIdentifier;
}

/** A balancer in front of nodes of two chains, which name their chain in a header of each response, as full nodes do. */
export async function startMixedPool({ ours, other }: { ours: string; other: string }) {
  const ids = new Map([
    [ours, await chainIdAt(ours)],
    [other, await chainIdAt(other)],
  ]);
  let isMixed = false;
  const listener = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    const isQuestion = incoming.url?.endsWith('/GetServiceInfo') ?? false;
    const target = isMixed && !isQuestion ? other : ours;
    passOn(target, incoming, outgoing, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, { ...response.headers, [CHAIN_ID_HEADER]: ids.get(target) ?? '' });
      response.pipe(outgoing);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mix: (mixed: boolean) => void (isMixed = mixed),
    close: () => void (listener.closeAllConnections(), listener.close()),
  };
}
