import type { FastifyInstance } from 'fastify';
import type pg from 'pg';

export interface Tracing {
  /** A span around work, below the one that is active; an error that the work throws is the span's, too. */
  span<T>(span: NewSpan, work: () => Promise<T>): Promise<T>;
  traceRequests(app: FastifyInstance): void;
  traceStatements(pool: pg.Pool): void;
  close(): Promise<void>;
}

export interface NewSpan {
  name: string;
  kind: 'client' | 'internal';
  attributes?: Record<string, string>;
}
