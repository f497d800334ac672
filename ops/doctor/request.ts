import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';

export interface Door {
  origin: string;
  host?: string;
  port?: number;
  ca?: string;
}

interface Asked {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  bodyBytes?: number;
}

export interface SiteResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const TIMEOUT_MS = 10_000;
const MOST_BODY_CHARS = 100_000;
const FIRST_PART_BYTES = 64 * 1024;

function optionsOf(door: Door, { path, method = 'GET', headers = {}, bodyBytes }: Asked): https.RequestOptions {
  const { hostname, host, port, protocol } = new URL(door.origin);
  const isTls = protocol === 'https:';
  const length = bodyBytes === undefined ? {} : { 'content-length': String(bodyBytes) };
  return {
    host: door.host ?? hostname.replace(/^\[|\]$/g, ''),
    port: door.port ?? Number(port || (isTls ? 443 : 80)),
    path,
    method,
    agent: false,
    timeout: TIMEOUT_MS,
    headers: { host, ...length, ...headers },
    ...(isTls && !/^[\d.[]/.test(hostname) ? { servername: hostname } : {}),
    ...(door.ca === undefined ? {} : { ca: door.ca }),
  };
}

/** Over TLS with the site's name, even at another address; node:http, as fetch sets neither Host nor the name. */
export async function request(door: Door, asked: Asked): Promise<SiteResponse> {
  const options = optionsOf(door, asked);
  return new Promise((resolve, reject) => {
    const sent = door.origin.startsWith('https:') ? https.request(options) : http.request(options);
    sent.once('timeout', () => sent.destroy(new Error(`no response within ${TIMEOUT_MS / 1000} s`)));
    sent.once('error', reject);
    sent.once('response', (response) => {
      let body = '';
      const finish = (): void => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        sent.destroy();
      };
      response.on('data', (data: Buffer) => {
        body = (body + data.toString()).slice(0, MOST_BODY_CHARS);
        // A client that has not sent its body does not receive the end of every response.
        if (asked.bodyBytes !== undefined) finish();
      });
      response.once('end', finish);
      response.once('error', finish);
    });
    if (asked.bodyBytes === undefined) sent.end();
    else sent.write(' '.repeat(Math.min(asked.bodyBytes, FIRST_PART_BYTES)));
  });
}
