/** A push service on loopback (RFC 8030). It keeps its messages, and responds as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceivedPush } from './browser.ts';

/** 'never': the connection stays open without a response. */
interface PushResponse {
  status: number | 'never';
  headers?: Record<string, string>;
}

interface Endpoint {
  received: ReceivedPush[];
  response: PushResponse;
}

interface PushService {
  origin: string;
  received(endpoint: string): ReceivedPush[];
  respond(endpoint: string, response: PushResponse): void;
  stop(): Promise<void>;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** `GET` of an endpoint returns its messages, for a test in another process. */
export async function startPushService(): Promise<PushService> {
  const endpoints = new Map<string, Endpoint>();
  const at = (path: string): Endpoint => {
    const known = endpoints.get(path) ?? { received: [], response: { status: 201 } };
    endpoints.set(path, known);
    return known;
  };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { received, response: wanted } = at(request.url ?? '/');
    if (request.method === 'GET') return void response.end(JSON.stringify(received));
    received.push({ headers: request.headers, body: (await bytesOf(request)).toString('base64') });
    if (wanted.status !== 'never') response.writeHead(wanted.status, wanted.headers).end();
  }
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const pathOf = (endpoint: string): string => new URL(endpoint).pathname;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: (endpoint) => at(pathOf(endpoint)).received,
    respond(endpoint, response) {
      at(pathOf(endpoint)).response = response;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
