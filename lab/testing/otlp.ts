import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty: the first of its trace. */
  parentSpanId: string;
  name: string;
  attributes: Record<string, string | number>;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  close(): void;
}

/** Numbers of fields in opentelemetry/proto/trace/v1/trace.proto and its neighbors. */
const FIELD = { resourceSpans: 1, scopeSpans: 2, spans: 2, traceId: 1, spanId: 2, parent: 4, name: 5, attributes: 9 };
const KEY_VALUE = { key: 1, value: 2 };
const ANY_VALUE = { text: 1, int: 3 };

type Fields = Map<number, Array<Buffer | number>>;

/** The fields of a protobuf message, as far as its wire format reveals them; numbers above 2^53 are not exact. */
function decode(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  };
  const bytes = (length: number): Buffer => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = varint();
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    const value = wire === 0 ? varint() : bytes(wire === 1 ? 8 : wire === 5 ? 4 : varint());
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Fields, field: number): Buffer[] =>
  (fields.get(field) ?? []).filter((value) => typeof value !== 'number');
const first = (fields: Fields, field: number): Buffer => messages(fields, field)[0] ?? Buffer.alloc(0);

function readAttribute(message: Buffer): [string, string | number] {
  const pair = decode(message);
  const value = decode(first(pair, KEY_VALUE.value));
  const [number] = value.get(ANY_VALUE.int) ?? [];
  return [
    String(first(pair, KEY_VALUE.key)),
    typeof number === 'number' ? number : String(first(value, ANY_VALUE.text)),
  ];
}

function readSpan(message: Buffer): ReceivedSpan {
  const span = decode(message);
  return {
    traceId: first(span, FIELD.traceId).toString('hex'),
    spanId: first(span, FIELD.spanId).toString('hex'),
    parentSpanId: first(span, FIELD.parent).toString('hex'),
    name: String(first(span, FIELD.name)),
    attributes: Object.fromEntries(messages(span, FIELD.attributes).map(readAttribute)),
  };
}

const spansOf = (body: Buffer): ReceivedSpan[] =>
  messages(decode(body), FIELD.resourceSpans)
    .flatMap((resource) => messages(decode(resource), FIELD.scopeSpans))
    .flatMap((scope) => messages(decode(scope), FIELD.spans).map(readSpan));

/** Accepts traces like a collector: protobuf over HTTP at /v1/traces. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isTraces = request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf';
      if (isTraces) spans.push(...spansOf(Buffer.concat(chunks)));
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
