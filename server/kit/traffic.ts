import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { type Distribution, countUp, createDistribution, observe } from './distribution.ts';

export interface RouteTraffic {
  method: string;
  /** The matched pattern, never the address. */
  route: string;
  statuses: Map<number, number>;
  seconds: Distribution;
}

declare module 'fastify' {
  interface FastifyInstance {
    traffic: () => RouteTraffic[];
  }
  interface FastifyRequest {
    arrivedMs: number;
    traffic?: RouteTraffic | null;
  }
  interface FastifyContextConfig {
    traffic?: RouteTraffic;
  }
}

const MS_PER_S = 1_000;

const createRouteTraffic = (method: string, route: string): RouteTraffic => ({
  method,
  route,
  statuses: new Map(),
  seconds: createDistribution(),
});

export function countTraffic(app: FastifyInstance): void {
  const routes: RouteTraffic[] = [];
  app.decorate('traffic', () => routes);
  app.decorateRequest('arrivedMs', 0);
  app.decorateRequest('traffic', null);
  app.addHook('onRoute', (route) => {
    const traffic = createRouteTraffic([route.method].flat().join(' '), route.url);
    routes.push(traffic);
    route.config = { ...route.config, traffic };
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    countResponse(request, reply.statusCode);
    done();
  });
}

export function countFromNow(request: FastifyRequest, { traffic }: FastifyContextConfig): void {
  request.arrivedMs = performance.now();
  request.traffic = traffic ?? null;
}

export function countResponse(request: FastifyRequest, status: number): void {
  const { traffic } = request;
  if (!traffic) return;
  request.traffic = null;
  countUp(traffic.statuses, status);
  observe(traffic.seconds, (performance.now() - request.arrivedMs) / MS_PER_S);
}
