import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/** Lines of a minute that are written for each request; of those beyond, one in ten, in a hundred, and so on. */
const WRITTEN_IN_FULL = { good: 6_000, rejected: 1_500, failed: 1_500 } as const;

type Kind = keyof typeof WRITTEN_IN_FULL;
const kindOf = (status: number): Kind => (status >= 500 ? 'failed' : status >= 400 ? 'rejected' : 'good');

const MINUTE_MS = 60_000;
const STEP = 10;

/**
 * Number of requests that the line of the n-th of a minute stands for; 0: it gets none. The first `full` stand for themselves, of the next
 * ten times as many each tenth is written for ten, and so on: `full` lines for each step, whatever the rate.
 */
function weightOf(n: number, full: number): number {
  let [place, weight] = [n, 1];
  while (place > full * weight) {
    place -= full * weight;
    weight *= STEP;
  }
  return place % weight === 0 ? weight : 0;
}

export function createSampling(now: () => number = () => performance.now()): (status: number) => number {
  let counts = { good: 0, rejected: 0, failed: 0 };
  let sinceMs = now();
  return (status) => {
    if (now() - sinceMs >= MINUTE_MS) [counts, sinceMs] = [{ good: 0, rejected: 0, failed: 0 }, now()];
    const kind = kindOf(status);
    counts[kind] += 1;
    return weightOf(counts[kind], WRITTEN_IN_FULL[kind]);
  };
}

/** One line for each request, when its response was sent; at high rates a sample, whose lines say how many requests they stand for. */
export class RequestLog extends LogController {
  readonly #weightOf = createSampling();

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (request.routeOptions.logLevel === 'silent') return;
    const weight = this.#weightOf(reply.statusCode);
    if (weight === 0) return;
    const facts = {
      req: request,
      res: { statusCode: reply.statusCode },
      responseTime: reply.elapsedTime,
      ...(weight > 1 ? { standsFor: weight } : {}),
    };
    if (error) reply.log.info({ ...facts, err: error }, 'request cut off');
    else reply.log.info(facts, 'request completed');
  }
}
