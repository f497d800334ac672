import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooMany } from './errors.ts';
import { createOpenCounts } from './open-counts.ts';
import { readToken } from './session.ts';

declare module 'fastify' {
  interface FastifyInstance {
    actsOfSession: ActsOfSession;
  }
}

/**
 * Counts a write of a session until its response is sent.
 * @throws 429 when the session has too many open writes
 */
type ActsOfSession = (request: FastifyRequest, reply: FastifyReply) => void;

/** Open writes of one session: more than the tabs of a person need. */
export const ACTS_OF_SESSION = 16;

/**
 * Bounds the open writes of one session, before its session and its body are read: hundreds of writes at once would wait for each other,
 * and all other clients for them.
 */
export function createActsOfSession(): ActsOfSession {
  const enter = createOpenCounts(ACTS_OF_SESSION);
  return (request, reply) => {
    const token = readToken(request);
    // A request without a session is rejected later. If its client has already gone, it would never leave the count.
    if (token === null || reply.raw.closed) return;
    const leave = enter(token);
    if (leave === null)
      throw tooMany('rate_limited', 'Too many of your requests are in progress. Please wait a moment.', 1);
    reply.raw.once('close', leave);
  };
}
