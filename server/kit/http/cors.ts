/**
 * CORS for the open API alone: the plugin's scope is `/api/v1`, so no other endpoint responds to a preflight. The origin is always `*`,
 * never with credentials. Rejected: CORS on the page's own endpoints (they read sessions, and a later one could be opened by accident), a
 * reflected origin (needs `Vary: Origin`, and one further mistake allows credentials), API keys (the figures are public; the read budget
 * bounds a client). Known: a 503 of admission is sent before CORS, so another site sees a network error.
 */
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { FIGURES_ON_HEADER, NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import { USER_TEXTS, USER_TEXTS_HEADER } from '#shared/text/user-texts.ts';

/** A file that pages of every site may read, outside of such a scope: no preflight comes before it. */
export const allowEverySite = (reply: FastifyReply): FastifyReply =>
  reply.header('Access-Control-Allow-Origin', '*').header('Cross-Origin-Resource-Policy', 'cross-origin');

interface License {
  name: string;
  url: string;
}

/** Names the licence of the figures in a response (R75, RFC 8288); CSV has no other place for it. */
export function nameLicense(reply: FastifyReply, license: License | null): FastifyReply {
  return license ? reply.header('Link', `<${new URL(license.url).href}>; rel="license"`) : reply;
}

const PREFLIGHT_MAX_AGE_S = 86_400;

/**
 * Lets pages of every site read what this scope responds, preflight included. Never with credentials: a browser sends and shows no
 * session's data for `*`.
 */
export async function openToEverySite(scope: FastifyInstance, license: License | null): Promise<void> {
  await scope.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD'],
    allowedHeaders: '*',
    exposedHeaders: [
      'ETag',
      'Retry-After',
      FIGURES_ON_HEADER,
      NEXT_CURSOR_HEADER,
      TOTAL_COUNT_HEADER,
      USER_TEXTS_HEADER,
    ],
    maxAge: PREFLIGHT_MAX_AGE_S,
  });
  scope.addHook('onRequest', (_request, reply, done) => {
    reply
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .header(USER_TEXTS_HEADER, USER_TEXTS.fields.join(', '));
    nameLicense(reply, license);
    done();
  });
}
