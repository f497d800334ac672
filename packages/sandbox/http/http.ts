import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const CLOSE_GRACE_MS = 2000;

/** Any page may call the sandbox, as it may call a public full node. */
const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': 'grpc-status, grpc-message, grpc-status-details-bin',
  'access-control-max-age': '86400',
};

class BodyTooLarge extends Error {}

/** Reads a request's body. Throws BodyTooLarge beyond 4 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLarge(`request body over ${MAX_BODY_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

export function send(response: ServerResponse, status: number, contentType: string, body: Uint8Array | string): void {
  response.writeHead(status, { ...CORS_HEADERS, 'content-type': contentType }).end(body);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, 'application/json', JSON.stringify(body));
}

export function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? '/', 'http://sandbox').pathname;
}

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/** Longer than any client keeps an idle connection: a shorter one is closed while the next request is in flight. */
const KEEP_ALIVE_MS = 72_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves on 127.0.0.1. Port 0 takes any free one. Rejects with EADDRINUSE's error when the port is taken. */
export async function listen(port: number, handle: Handler): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, withCors(handle));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  return { url: `http://127.0.0.1:${actualPort}`, close: () => close(server) };
}

function withCors(handle: Handler): RequestListener {
  return (request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, CORS_HEADERS).end();
      return;
    }
    handle(request, response).catch((error: unknown) => {
      const status = error instanceof BodyTooLarge ? 413 : 500;
      if (!response.headersSent) sendJson(response, status, { error: 'sandbox', message: String(error) });
      else response.destroy();
    });
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS).unref();
  });
}
