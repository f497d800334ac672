import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { once } from 'node:events';
import http2 from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { Client, type ClientRequest } from './client.ts';
import { type Proxy, SITE_HOST } from './proxies.ts';

/** Target of a request: a loopback port, over TLS when there is a certificate to trust. */
export interface Door {
  port: number;
  ca?: string;
  from?: string;
}

export interface Exchange {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const lengthOf = (body: string | undefined): Record<string, string> =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };

/** One request for the site over HTTP/1.1, on a new connection, and its response as sent. */
export async function exchange(door: Door, path: string, request: Partial<ClientRequest> = {}): Promise<Exchange> {
  const { method = 'GET', headers = {}, body } = request;
  const options = {
    host: '127.0.0.1',
    port: door.port,
    path,
    method,
    agent: false,
    headers: { host: SITE_HOST, ...lengthOf(body), ...headers },
    ...(door.from === undefined ? {} : { localAddress: door.from }),
  };
  return new Promise((resolve, reject) => {
    const sent =
      door.ca === undefined ? http.request(options) : https.request({ ...options, ca: door.ca, servername: SITE_HOST });
    sent.once('response', (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The same over HTTP/2, as browsers do: a response that comes before the body has been sent is read. */
export async function exchangeHttp2(door: Door, path: string, request: Partial<ClientRequest> = {}): Promise<Exchange> {
  const { method = 'GET', headers = {}, body } = request;
  const session = http2.connect(`https://127.0.0.1:${door.port}`, {
    servername: SITE_HOST,
    // Megabytes. By default, Node gives up on a stream that has more than ten to send.
    maxSessionMemory: 64,
    ...(door.ca === undefined ? {} : { ca: door.ca }),
    ...(door.from === undefined ? {} : { localAddress: door.from }),
  });
  // Requests of the session end with the same error.
  session.on('error', () => undefined);
  try {
    const target = { ':method': method, ':path': path, ':authority': SITE_HOST };
    const stream = session.request({ ...target, ...lengthOf(body), ...headers });
    // Listens from the start: an unread response is thrown away when its stream is closed early.
    const bytes = buffer(stream);
    bytes.catch(() => undefined);
    stream.end(body);
    const ended = once(stream, 'close').then(() => Promise.reject(new Error('the stream ended without a response')));
    const [head] = (await Promise.race([once(stream, 'response'), ended])) as [http2.IncomingHttpHeaders];
    ended.catch(() => undefined);
    const { ':status': status, ...received } = head;
    return { status: Number(status), headers: received, body: await bytes };
  } finally {
    session.destroy();
  }
}

/** The server itself, bypassing the proxy. */
export const directDoor = (url: string): Door => ({ port: Number(new URL(url).port) });
export const proxyDoor = ({ httpsPort, ca }: Proxy, from = '127.0.0.2'): Door => ({ port: httpsPort, ca, from });

function toHeaders(found: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(found))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}

/** A browser (HTTP/2) on the other side of a proxy, at a loopback address of its own. */
export class ProxiedClient extends Client {
  readonly door: Door;

  constructor(proxy: Proxy, from?: string) {
    super(`https://${SITE_HOST}`);
    this.door = proxyDoor(proxy, from);
  }

  protected override async request(path: string, request: ClientRequest): Promise<Response> {
    const { status, headers, body } = await exchangeHttp2(this.door, path, request);
    return new Response(body.length > 0 ? Uint8Array.from(body) : null, { status, headers: toHeaders(headers) });
  }
}
