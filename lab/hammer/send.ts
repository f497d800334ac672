import { Agent, request as httpRequest } from 'node:http';
import type { FuzzRequest } from './make-request.ts';

export interface Response {
  /** 0 when the server hung up without a response, -1 when none came in time. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  ms: number;
}

export const HANG_MS = 25_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function sendOnce(url: string, request: FuzzRequest, who: Record<string, string>): Promise<Response> {
  const { hostname, port } = new URL(url);
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, headers: Response['headers'], text: string): void => {
      clearTimeout(timer);
      resolve({ status, headers, text, ms: performance.now() - startedAtMs });
    };
    const length = request.body === null ? {} : { 'content-length': String(Buffer.byteLength(request.body)) };
    const sent = httpRequest(
      {
        agent,
        hostname,
        port,
        method: request.method,
        path: request.path,
        headers: { ...request.headers, ...length, ...who },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          end(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString('utf8')),
        );
        response.on('error', () => end(0, {}, ''));
      },
    );
    const timer = setTimeout(() => {
      sent.destroy();
      end(-1, {}, '');
    }, HANG_MS);
    sent.on('error', () => end(0, {}, ''));
    sent.end(request.body ?? undefined);
  });
}

/**
 * Sends like a client: a kept-alive connection that had ended is not the server's response, so the request is sent
 * again.
 */
export async function send(url: string, request: FuzzRequest, who: Record<string, string>): Promise<Response> {
  const first = await sendOnce(url, request, who);
  return first.status === 0 ? sendOnce(url, request, who) : first;
}
