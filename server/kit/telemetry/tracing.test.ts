import { afterAll, expect, test } from 'vitest';
import { createTestDatabase, startServer } from '#lab/testing/app.ts';
import { newUser } from '#lab/testing/client.ts';
import { type ReceivedSpan, startOtlpReceiver } from '#lab/testing/otlp.ts';

const receiver = await startOtlpReceiver();
const database = await createTestDatabase();
afterAll(async () => {
  receiver.close();
  await database.drop();
});

/** Starts a server that traces, ends it, and returns the spans that it sent. */
async function traced(
  work: (server: Awaited<ReturnType<typeof startServer>>) => Promise<void>,
): Promise<ReceivedSpan[]> {
  receiver.spans.length = 0;
  const server = await startServer(database.url, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } });
  try {
    await work(server);
  } finally {
    await server.close();
  }
  return receiver.spans;
}

test('a request and its statements are one trace, calls of the Sui node have spans, and none holds a value', async () => {
  let address = '';
  const spans = await traced(async (server) => {
    const user = await newUser(server);
    address = user.address;
    await fetch(`${server.url}/api/users/${user.id}`, {
      headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    });
    await fetch(`${server.url}/readyz`);
  });
  const request = spans.find(
    ({ name, attributes }) => name === 'POST /api/auth/wallet' && attributes['http.response.status_code'] === 200,
  );
  expect(request).toMatchObject({
    parentSpanId: '',
    attributes: { 'http.request.method': 'POST', 'http.route': '/api/auth/wallet', 'http.response.status_code': 200 },
  });
  const below = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(below.length).toBeGreaterThan(0);
  for (const span of below) {
    expect(span.traceId).toBe(request?.traceId);
    expect(span.attributes).toMatchObject({ 'db.system.name': 'postgresql', 'db.query.text': expect.any(String) });
  }
  expect(spans.map(({ name }) => name)).toContain('sui GetServiceInfo');
  // Health checks are not traced, and a client's trace context is ignored.
  expect(spans.filter(({ name }) => name.includes('readyz'))).toEqual([]);
  expect(spans.filter(({ traceId }) => traceId === 'a'.repeat(32))).toEqual([]);
  expect(JSON.stringify(spans)).not.toContain(address);
});
