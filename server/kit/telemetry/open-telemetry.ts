import { setTimeout as sleep } from 'node:timers/promises';
import { context, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Tracing } from '../tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span?: Span;
  }
}

const SERVER_ERROR = 500;
const CLOSE_TIMEOUT_MS = 2_000;
const KINDS = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

function fail(span: Span, error: unknown): void {
  const { name, message, code = name } = error as Error & { code?: string };
  span.setStatus({ code: SpanStatusCode.ERROR, message });
  span.setAttribute('error.type', code);
  span.end();
}

export function createTracing(endpoint: string): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'snapswipe' })),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer('snapswipe');
  return {
    span: ({ name, kind, attributes = {} }, work) =>
      tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, async (span) => {
        try {
          const result = await work();
          span.end();
          return result;
        } catch (error) {
          fail(span, error);
          throw error;
        }
      }),
    traceRequests: (app) => traceRequests(tracer, app),
    traceStatements: (pool) => traceStatements(tracer, pool),
    async close() {
      const timeout = sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown(), timeout]).catch(() => undefined);
      context.disable();
    },
  };
}

/** A trace begins here: a client's trace context (traceparent) is ignored. */
function traceRequests(tracer: Tracer, app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route = 'unmatched', config } = request.routeOptions;
    if (config.kind === 'always') return done();
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, root: true, attributes });
    request.span = span;
    context.with(trace.setSpan(context.active(), span), done);
  });
  app.addHook('onResponse', async (request, reply) => end(request, reply.statusCode));
  app.addHook('onRequestAbort', async (request) => end(request, 0));
}

function end(request: FastifyRequest, status: number): void {
  const { span } = request;
  if (span === undefined) return;
  delete request.span;
  if (status > 0) span.setAttribute('http.response.status_code', status);
  if (status === 0 || status >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

type Query = (...args: unknown[]) => unknown;
const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string } | null)?.text ?? '');

/** Both forms of `query` are in use: with a callback by the pool itself, with a promise by all other code. */
function traceStatements(tracer: Tracer, pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query;
    const traced: Query = (...args) => {
      const text = textOf(args[0]);
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
      const span = tracer.startSpan(text.trim().split(/\s+/, 1)[0] ?? 'statement', {
        kind: SpanKind.CLIENT,
        attributes,
      });
      const callback = args.at(-1);
      if (typeof callback === 'function') {
        const told: Query = (error, ...rest) => {
          if (error) fail(span, error);
          else span.end();
          return (callback as Query)(error, ...rest);
        };
        return query(...args.slice(0, -1), told);
      }
      const result = query(...args);
      Promise.resolve(result).then(
        () => span.end(),
        (error: unknown) => fail(span, error),
      );
      return result;
    };
    Object.assign(client, { query: traced });
  });
}
