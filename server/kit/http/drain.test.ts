import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDrain } from './drain.ts';

const KB = 1024;

interface TestBody extends Readable {
  complete: boolean;
  headers: Record<string, string>;
}

/** A body of so many chunks of 64 KB, and how many were taken from it. */
function bodyOf(chunks: number, complete = false): { body: TestBody; taken: () => number } {
  let made = 0;
  const body = new Readable({
    highWaterMark: 64 * KB,
    read() {
      made += 1;
      this.push(made > chunks ? null : Buffer.alloc(64 * KB));
    },
  });
  const headers = { 'content-length': String(chunks * 64 * KB) };
  return { body: Object.assign(body, { complete, headers }), taken: () => made };
}
const response = () => ({ shouldKeepAlive: true });

/** Lets streams continue as far as they can without a timer. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => process.nextTick(resolve));
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** A drain with eight bodies that take their time. */
function busyDrain(): { drain: ReturnType<typeof createDrain>; first: TestBody } {
  const drain = createDrain();
  const bodies = Array.from({ length: 8 }, () => bodyOf(100).body);
  for (const body of bodies) drain(body, response());
  const [first = bodyOf(0).body] = bodies;
  return { drain, first };
}

test('beyond eight bodies the next one waits for its turn', async () => {
  const { drain, first } = busyDrain();
  const [ninth, own] = [bodyOf(100), response()];
  drain(ninth.body, own);
  await rest();
  // One chunk for the buffer at most.
  const before = ninth.taken();
  expect(own.shouldKeepAlive).toBe(true);
  expect(before).toBeLessThanOrEqual(1);
  first.destroy();
  await rest();
  expect(ninth.taken()).toBeGreaterThan(before);
});

test('when a hundred wait, a connection ends with its response; a body that ends frees a place', async () => {
  const { drain } = busyDrain();
  const waiting = Array.from({ length: 100 }, () => bodyOf(100).body);
  for (const body of waiting) drain(body, response());
  const refused = response();
  drain(bodyOf(100).body, refused);
  expect(refused.shouldKeepAlive).toBe(false);
  waiting[50]?.destroy();
  await rest();
  const accepted = response();
  drain(bodyOf(100).body, accepted);
  expect(accepted.shouldKeepAlive).toBe(true);
});

test.each([
  ['that has arrived', bodyOf(2, true)],
  ['of a few bytes', bodyOf(1)],
])('a body %s does not wait: its connection continues', async (_which, { body }) => {
  const { drain } = busyDrain();
  const own = response();
  body.pause();
  drain(body, own);
  await rest();
  expect([own.shouldKeepAlive, body.readableEnded]).toEqual([true, true]);
});

test('a waiting body stays unread after its response', async () => {
  vi.useRealTimers();
  const drain = createDrain();
  const server = createServer((request, sent) => {
    drain(request, sent);
    sent.end();
  });
  const accepted: Socket[] = [];
  server.on('connection', (socket) => accepted.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: 12 }, () => {
    const client = connect(port, '127.0.0.1');
    client.write(`POST / HTTP/1.1\r\nHost: test\r\nContent-Length: ${14 * KB * KB}\r\n\r\n`);
    client.write(Buffer.alloc(14 * KB * KB));
    return client;
  });
  await Promise.all(clients.map((client) => once(client, 'data')));
  // The eight that are read continue; the other four must wait.
  const bytesRead = () => accepted.map((socket) => socket.bytesRead).toSorted((one, other) => one - other);
  const untilMs = performance.now() + 60_000;
  while ((bytesRead()[4] ?? 0) < 3 * 256 * KB && performance.now() < untilMs)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(bytesRead()[4]).toBeGreaterThanOrEqual(3 * 256 * KB);
  expect(bytesRead()[3]).toBeLessThan(2 * 256 * KB);
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
