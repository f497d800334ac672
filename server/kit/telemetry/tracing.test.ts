import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { runOnce } from '#server/kit/scheduler.ts';
import { createTestDatabase, startServer } from '#lab/testing/app.ts';
import { newUser } from '#lab/testing/client.ts';

/** Everything that a collector receives: texts in protobuf can be searched as they are. */
const received: Buffer[] = [];
const collector = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => received.push(chunk));
  request.on('end', () => response.end());
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const database = await createTestDatabase();
afterAll(async () => {
  collector.close();
  collector.closeAllConnections();
  await database.drop();
});

test('requests, statements, jobs and calls of the Sui node are traced without values, and health checks are not traced', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
  const server = await startServer(database.url, { env });
  const user = await newUser(server);
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  await fetch(`${server.url}/api/users/${user.id}`, { headers: { traceparent } });
  await fetch(`${server.url}/readyz`);
  const job = { name: 'traced', intervalMs: 0 };
  await runOnce(server.services, { ...job, run: async ({ pool }) => void (await pool.query('SELECT 1 AS one')) });
  await server.close();
  const sent = Buffer.concat(received).toString('latin1');
  for (const text of ['POST /api/auth/wallet', 'db.query.text', 'sui GetServiceInfo', 'job traced', 'SELECT 1 AS one'])
    expect([text, sent.includes(text)]).toEqual([text, true]);
  for (const text of ['readyz', user.address]) expect([text, sent.includes(text)]).toEqual([text, false]);
  // The trace context of a client is ignored.
  expect(sent.includes('\u00aa'.repeat(16))).toBe(false);
});
