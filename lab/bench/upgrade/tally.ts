import { Agent, request } from 'node:http';

export interface Reply {
  /** 0 where no response came. */
  status: number;
  text: string;
}

export interface Ask {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Keeps connections open between requests; without it, each request has a new connection. */
  agent?: Agent;
}

const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED']);
const PATIENCE_MS = 30_000;

/** Counts the results of requests; none is sent again. */
export class Tally {
  readonly requests = new Map<string, number>();
  readonly failures = new Map<string, number>();
  resets = 0;
  longestMs = 0;
  longestOf = '';
  private readonly url: URL;

  constructor(url: string) {
    this.url = new URL(url);
  }

  get total(): number {
    return [...this.requests.values()].reduce((sum, count) => sum + count, 0);
  }

  get failed(): number {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0);
  }

  /** `what` is the kind of the request, for the table. */
  async send(what: string, ask: Ask): Promise<Reply> {
    const startedAtMs = performance.now();
    const result = await this.exchange(ask);
    const tookMs = performance.now() - startedAtMs;
    this.requests.set(what, (this.requests.get(what) ?? 0) + 1);
    if (tookMs > this.longestMs) [this.longestMs, this.longestOf] = [tookMs, what];
    const isReply = typeof result === 'object';
    if (!isReply && RESET.has(result)) this.resets += 1;
    if (!isReply || result.status >= 400) {
      const failure = `${what}: ${isReply ? result.status : result}`;
      this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
    }
    return isReply ? result : { status: 0, text: '' };
  }

  /** The response, or the code of the error. */
  private exchange({ method = 'GET', path, headers = {}, body, agent }: Ask): Promise<Reply | string> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const extra =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    const { hostname, port } = this.url;
    return new Promise((resolve) => {
      const sent = request(
        {
          hostname,
          port,
          method,
          path,
          headers: { ...headers, ...extra },
          agent: agent ?? false,
          timeout: PATIENCE_MS,
        },
        (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (received += chunk));
          response.once('end', () => resolve({ status: response.statusCode ?? 0, text: received }));
          response.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
        },
      );
      sent.once('timeout', () => sent.destroy(new Error('no response in 30 s')));
      sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end(text);
    });
  }
}

/** A client with a single connection, like a proxy's or a browser's. */
export const oneConnection = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });
