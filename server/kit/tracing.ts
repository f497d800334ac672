import type { FastifyInstance } from 'fastify';
import type pg from 'pg';

/** Spans of what a server does. Made by server/kit/telemetry/ only when OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export interface Tracing {
  /** A span around work, below the one that is active; an error that the work throws is the span's, too. */
  span<T>(span: NewSpan, work: () => Promise<T>): Promise<T>;
  /** A span for each request; what the request does is below it. */
  traceRequests(app: FastifyInstance): void;
  /** A span for each statement, with its text and without its values. */
  traceStatements(pool: pg.Pool): void;
  /** Sends what is left, within two seconds. */
  close(): Promise<void>;
}

export interface NewSpan {
  name: string;
  /** 'client': another program works, and this one waits. */
  kind: 'client' | 'internal';
  attributes?: Record<string, string>;
}
