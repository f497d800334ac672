import { randomBytes } from 'node:crypto';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEEP_ALIVE_MS } from '../testing/chain-proxy.ts';

export interface ChainProxy {
  url: string;
  /**
   * open: passes everything on. gone: hangs up. slow: responds `SLOW_MS` later. nonsense: responds with random bytes as
   * if they were a result.
   */
  mode: 'open' | 'gone' | 'slow' | 'nonsense';
  stop(): Promise<void>;
}

const SLOW_MS = 3_000;

function passOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse, delayMs: number): void {
  const { method, headers, url = '' } = incoming;
  const onward = forward(target + url, { method, headers }, (response) => {
    setTimeout(() => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    }, delayMs);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}

/** A gRPC-web message of plausible length whose content means nothing. */
function sendNonsense(outgoing: ServerResponse): void {
  const message = randomBytes(80);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  const trailer = Buffer.from('grpc-status: 0\r\n');
  const trailerHeader = Buffer.alloc(5);
  trailerHeader[0] = 0x80;
  trailerHeader.writeUInt32BE(trailer.length, 1);
  outgoing.writeHead(200, { 'content-type': 'application/grpc-web+proto' });
  outgoing.end(Buffer.concat([header, message, trailerHeader, trailer]));
}

/** Proxy between the servers and the chain. */
export async function startChainProxy(target: string): Promise<ChainProxy> {
  const listener = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    if (proxy.mode === 'gone') return void outgoing.destroy();
    if (proxy.mode === 'nonsense') return sendNonsense(outgoing);
    passOn(target, incoming, outgoing, proxy.mode === 'slow' ? SLOW_MS : 0);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const proxy: ChainProxy = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mode: 'open',
    async stop() {
      listener.closeAllConnections();
      listener.close();
    },
  };
  return proxy;
}
