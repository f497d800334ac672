import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from '#server/kit/config.ts';
import type { Services } from '#server/kit/services.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const AWAY = 'The metrics could not be collected\n';

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
const isSame = (given: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(given ?? ''), digest(`Bearer ${token}`));

export async function mountMetrics(app: FastifyInstance, services: Services): Promise<void> {
  const { metricsPort, metricsToken } = services.config;
  if (metricsPort === null && metricsToken === null) return;
  const { createMetrics } = await import('./metrics.ts');
  const metrics = createMetrics(app, services);
  const read = (): Promise<string | null> =>
    metrics().catch((error: unknown) => {
      services.log.error({ err: error }, 'metrics could not be collected');
      return null;
    });
  if (metricsToken !== null) mountOnMainPort(app, metricsToken, read);
  if (metricsPort !== null) mountOnOwnPort(app, services.config, metricsPort, read);
}

function mountOnMainPort(app: FastifyInstance, token: string, read: () => Promise<string | null>): void {
  const options = { logLevel: 'silent', config: { kind: 'always' } } as const;
  app.get('/metrics', options, async (request, reply) => {
    reply.header('Cache-Control', 'no-store').type(CONTENT_TYPE);
    if (!isSame(request.headers.authorization, token))
      return reply
        .code(401)
        .header('WWW-Authenticate', 'Bearer')
        .send('The Authorization header has to be "Bearer" and METRICS_TOKEN\n');
    const text = await read();
    return text === null ? reply.code(503).send(AWAY) : text;
  });
}

/** Servers that share the main port share this one, too: each of them answers for all. */
function mountOnOwnPort(
  app: FastifyInstance,
  { metricsHost: host }: Config,
  port: number,
  read: () => Promise<string | null>,
): void {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end('See /metrics\n');
    void read().then((text) =>
      response.writeHead(text === null ? 503 : 200, { 'Content-Type': CONTENT_TYPE }).end(text ?? AWAY),
    );
  });
  app.addHook('onReady', () => listen(server, host, port));
  app.addHook('onClose', (_app, done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ConfigError(
          error.code === 'EADDRINUSE'
            ? `port ${port} of METRICS_PORT is in use; set it to another one`
            : `cannot listen on ${host}:${port} (METRICS_HOST and METRICS_PORT): ${error.message}`,
        ),
      ),
    );
    server.listen({ host, port, reusePort: process.platform === 'linux' }, resolve);
  });
}
