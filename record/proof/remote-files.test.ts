import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { RecordUnavailable, remoteFiles } from './remote-files.ts';

/** A server that responds as the listener does, and a reader of its files that never waits. */
async function serve(listener: RequestListener, timeoutMs?: number) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const waits: number[] = [];
  const wait = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
  const { port } = server.address() as AddressInfo;
  return { read: remoteFiles({ baseUrl: `http://127.0.0.1:${port}/log/`, wait, timeoutMs }), waits, server };
}

test('reads the bytes of a file below the address of the log', async () => {
  const { read } = await serve((request, response) => response.end(`${request.url}`));
  expect(new TextDecoder().decode(await read('tile/0/000', 100))).toBe('/log/tile/0/000');
});

test('asks a busy server again after its Retry-After [R43]', async () => {
  let asked = 0;
  const { read, waits } = await serve((_request, response) => {
    asked += 1;
    if (asked === 1) response.writeHead(429, { 'retry-after': '7' }).end();
    else if (asked === 2) response.writeHead(503).end();
    else response.end('file');
  });
  expect(await read('checkpoint', 100)).toHaveLength(4);
  expect(waits).toEqual([7_000, 1_000]);
});

test('gives up on a server that stays busy, and waits at most a minute at a time [R43]', async () => {
  const { read, waits } = await serve((_request, response) => response.writeHead(429, { 'retry-after': '9999' }).end());
  await expect(read('checkpoint', 100)).rejects.toThrow(new RecordUnavailable('The server is too busy for checkpoint'));
  expect(waits).toEqual([60_000, 60_000, 60_000, 60_000]);
});

test('treats a missing file as a difference, and no other status [R43]', async () => {
  const { read } = await serve((request, response) => response.writeHead(request.url?.endsWith('a') ? 404 : 500).end());
  await expect(read('a', 100)).rejects.toMatchObject({ name: 'RecordError', message: 'a is missing' });
  await expect(read('b', 100)).rejects.toMatchObject({ name: 'RecordUnavailable', message: /responds to b with 500/ });
});

test('stops reading a file that is longer than it may be [R43]', async () => {
  let written = 0;
  const { read } = await serve((_request, response) => {
    // Sends bytes without an end, as many as the reader takes.
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  await expect(read('tile/0/000', 8_192)).rejects.toThrow('tile/0/000 has more than 8192 bytes');
  expect(written).toBeLessThan(64 * 1024 * 1024);
});

test('requests a file again that breaks off, and does not use its beginning [R43]', async () => {
  let asked = 0;
  const { read } = await serve((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'content-length': '10' });
    if (asked > 1) response.end('0123456789');
    else response.write('01234', () => response.destroy());
  });
  expect(await read('tile/0/000', 100)).toHaveLength(10);
});

test('names the server that cannot be reached [R43]', async () => {
  const { read, server } = await serve((_request, response) => response.end());
  await new Promise((resolve) => server.close(resolve));
  await expect(read('checkpoint', 100)).rejects.toThrow(/^127\.0\.0\.1:\d+ cannot be reached$/);
});

test('reports a slow server after two attempts [R62]', async () => {
  let asked = 0;
  const { read } = await serve((_request, response) => {
    asked += 1;
    // Sends one byte, and never ends.
    response.writeHead(200).write('x');
  }, 50);
  await expect(read('checkpoint', 100)).rejects.toThrow(
    new RecordUnavailable('The server is too slow: checkpoint did not arrive in time'),
  );
  expect(asked).toBe(2);
});

test.each<[what: string, respond: RequestListener]>([
  [
    'is compressed wrongly',
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
  ],
  [
    'breaks off each time',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('01234', () => response.destroy());
    },
  ],
])('a response that %s is reported as a corrupt file, not as an unavailable server [R62]', async (_what, respond) => {
  const { read } = await serve(respond);
  await expect(read('tile/entries/000', 100)).rejects.toThrow(
    new RecordUnavailable('tile/entries/000 is corrupt or was cut off in transit'),
  );
});
