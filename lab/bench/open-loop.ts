import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface OpenLoopResult {
  sent: number;
  accepted: number;
  /** Answered with 503. */
  refused: number;
  /** Accepted in each second from the first that was due to the last response. */
  acceptedPerSecond: number;
  /** Percentiles of all responses, from when a request was due. */
  p50Ms: number;
  p99Ms: number;
  /** Percentiles of the accepted ones, from when they were sent: the wait that the server causes. */
  acceptedP99Ms: number;
}

const TICK_MS = 1;
const CONNECT_AT_ONCE = 100;
const GIVE_UP_MS = 10_000;
const HEAD_END = Buffer.from('\r\n\r\n');

/** One keep-alive connection with at most one request in flight; responses are small and carry a Content-Length. */
class Connection {
  #socket: net.Socket;
  #received: Buffer = Buffer.alloc(0);
  #onResponse: ((status: number) => void) | undefined;
  /**
   * Settles when the connection is established: a connection in its handshake is not a vote that waits for the server.
   */
  readonly ready: Promise<void>;

  constructor(port: number, host: string) {
    this.#socket = net.connect({ port, host, noDelay: true });
    this.ready = once(this.#socket, 'connect').then(() => undefined);
    this.#socket.on('data', (data: Buffer) => this.#read(data));
    this.#socket.on('error', () => this.#finish(0));
    this.#socket.on('close', () => this.#finish(0));
  }

  send(request: string, onResponse: (status: number) => void): void {
    this.#onResponse = onResponse;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < headEnd + HEAD_END.length + length) return;
    this.#received = Buffer.alloc(0);
    this.#finish(Number(head.slice(9, 12)));
  }

  #finish(status: number): void {
    const onStatus = this.#onResponse;
    this.#onResponse = undefined;
    onStatus?.(status);
  }
}

const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/**
 * Sends requests at a steady rate, whether or not the responses keep up. The time of each counts from when it was due,
 * so that a stall counts for every request that it delayed.
 */
export async function sendSteadily(options: {
  url: string;
  perSecond: number;
  seconds: number;
  connections: number;
  request: (n: number) => string;
}): Promise<OpenLoopResult> {
  const { hostname, port } = new URL(options.url);
  const all: Connection[] = [];
  while (all.length < options.connections) {
    // A few at a time, so that the system's accept queue does not overflow.
    const some = Array.from(
      { length: Math.min(CONNECT_AT_ONCE, options.connections - all.length) },
      () => new Connection(Number(port), hostname),
    );
    await Promise.all(some.map(({ ready }) => ready));
    all.push(...some);
  }
  const idle = [...all];
  const due: number[] = [];
  const latencies: number[] = [];
  const acceptedMs: number[] = [];
  const total = Math.round(options.perSecond * options.seconds);
  let [made, refused, answered, lastResponseMs] = [0, 0, 0, 0];
  let allDone: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (allDone = resolve));

  const sendNext = (): void => {
    for (;;) {
      const connection = due.length > 0 ? idle.pop() : undefined;
      if (connection === undefined) return;
      const dueAtMs = due.shift() ?? 0;
      const sentAtMs = performance.now();
      connection.send(options.request(made), (status) => {
        lastResponseMs = performance.now();
        latencies.push(lastResponseMs - dueAtMs);
        answered += 1;
        if (answered === total) allDone();
        if (status === 200) acceptedMs.push(lastResponseMs - sentAtMs);
        if (status === 503) refused += 1;
        idle.push(connection);
        sendNext();
      });
      made += 1;
    }
  };

  const startedAtMs = performance.now();
  for (let scheduled = 0; scheduled < total;) {
    const now = performance.now();
    const target = Math.min(total, Math.floor(((now - startedAtMs) / 1000) * options.perSecond));
    for (; scheduled < target; scheduled += 1) due.push(startedAtMs + (scheduled / options.perSecond) * 1000);
    sendNext();
    await sleep(TICK_MS);
  }
  await Promise.race([done, sleep(GIVE_UP_MS, undefined, { ref: false })]);
  for (const connection of all) connection.close();
  for (const list of [latencies, acceptedMs]) list.sort((one, other) => one - other);
  return {
    sent: made,
    accepted: acceptedMs.length,
    refused,
    acceptedPerSecond: acceptedMs.length / ((lastResponseMs - startedAtMs) / 1000),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    acceptedP99Ms: percentile(acceptedMs, 0.99),
  };
}
