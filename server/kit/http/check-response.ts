import type { EndpointSpec } from '#shared/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { HttpError } from './errors.ts';
import { statusesOf } from '#shared/openapi/statuses.ts';

export type ResponseCheck = (endpoint: EndpointSpec, body: unknown) => void;

const checkResponse: ResponseCheck = (endpoint, body) => {
  const result = endpoint.response.safeParse(Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body);
  if (!result.success) {
    throw new HttpError(
      500,
      'contract_broken',
      `${endpoint.method} ${endpoint.path} responds against its contract: ${result.error.message}`,
    );
  }
};

export const responseCheckOf = ({ env }: Config): ResponseCheck => (env === 'test' ? checkResponse : () => undefined);

declare module 'fastify' {
  interface FastifyInstance {
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
