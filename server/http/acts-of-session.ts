import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooMany } from './errors.ts';
import { createOpenCounts } from './open-counts.ts';
import { readToken } from './session.ts';

declare module 'fastify' {
  interface FastifyInstance {
    actsOfSession: ActsOfSession;
  }
}

/** Counts a write of a session until its response is sent. @throws 429 where the session has as many under way as it may */
export type ActsOfSession = (request: FastifyRequest, reply: FastifyReply) => void;

/** Writes of one session under way at once: more than the tabs of a person have. */
export const ACTS_OF_SESSION = 16;

/**
 * Bounds what one session has under way, before its session and its body are read: hundreds of writes at once would wait for each other,
 * and everybody else for them.
 */
export function createActsOfSession(): ActsOfSession {
  const enter = createOpenCounts(ACTS_OF_SESSION);
  return (request, reply) => {
    const token = readToken(request);
    // Without a session it is rejected by itself. Whose client has gone already would never leave.
    if (token === null || reply.raw.closed) return;
    const leave = enter(token);
    if (leave === null)
      throw tooMany('rate_limited', 'Too many of your requests are in progress. Please wait a moment.', 1);
    reply.raw.once('close', leave);
  };
}
