import type { EndpointSpec } from '#shared/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './errors.ts';
import { statusesOf } from '#shared/openapi/statuses.ts';

/** In tests every response is checked against the contract, so that the two cannot drift apart. */
export function checkResponse(endpoint: EndpointSpec, body: unknown): void {
  const result = endpoint.response.safeParse(body);
  if (!result.success) {
    throw new HttpError(
      500,
      'contract_broken',
      `${endpoint.method} ${endpoint.path} responds against its contract: ${result.error.message}`,
    );
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** In tests: responses with a status that the contract does not name. */
    undocumented: string[];
  }
  interface FastifyContextConfig {
    endpoint?: EndpointSpec;
  }
}

/** Collects responses whose status the contract does not name, so that a test server that saw one fails when it ends. */
export function collectUndocumented(app: FastifyInstance): void {
  app.decorate('undocumented', []);
  app.addHook('onResponse', (request, reply, done) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint && !statusesOf(endpoint, true).has(reply.statusCode))
      app.undocumented.push(`${endpoint.method} ${endpoint.path} responded with ${reply.statusCode}`);
    done();
  });
}
