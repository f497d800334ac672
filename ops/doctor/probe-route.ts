import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/kit/services.ts';
import { PROBE_HEADER, PROBE_PATH, type Sighting, createProbeGate } from './probe.ts';

/** Reports the apparent source address of a request to `npm run doctor` alone. */
export function mountProbe(app: FastifyInstance, { config }: Services): void {
  const gate = createProbeGate(config);
  const options = { logLevel: 'silent', config: { kind: 'always' } } as const;
  app.get(PROBE_PATH, options, (request, reply) => {
    const given = request.headers[PROBE_HEADER];
    const sign = gate.admit(typeof given === 'string' ? given : undefined);
    if (sign === null) return reply.callNotFound();
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',');
    const sighting: Sighting = {
      address: request.ip,
      forwardedFor: forwarded.split(',').flatMap((one) => one.trim() || []),
      host: request.headers.host ?? '',
    };
    const body = JSON.stringify(sighting);
    return reply
      .header('cache-control', 'no-store')
      .header(PROBE_HEADER, sign(body))
      .type('application/json')
      .send(body);
  });
}
