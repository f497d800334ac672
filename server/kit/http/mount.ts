import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { auth } from '#shared/contract/index.ts';
import type { Services } from '../services.ts';
import { admit, missingToken, requireSession } from './access.ts';
import type { Kind } from './admission.ts';
import { WRITE_UNITS } from './client-bounds.ts';
import type { Route } from './declare.ts';
import { HttpError } from './errors.ts';
import { handlerOf, type Mounting } from './handlers.ts';

const ANONYMOUS_BODY_LIMIT_BYTES = 1024;

export interface MountOptions extends Mounting {
  prefix?: string;
}

const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Checks access before the body is read: a stranger's megabytes are neither received nor parsed. */
function admitBeforeBody({ services, requireAdminToken }: Mounting, route: Route): object {
  const { endpoint, session } = route;
  if (session === 'in-statement') return requireTokenBeforeBody(services);
  if (endpoint.method === 'GET' || endpoint.access === 'public') return {};
  return {
    preParsing: async (request: FastifyRequest, reply: FastifyReply) => {
      request.server.actsOfSession(request, reply);
      request.admitted = await admit(services, requireAdminToken, endpoint, request);
    },
  };
}

/** Checks what needs no database; an unreadable body is reported as such to sessions only. */
function requireTokenBeforeBody(services: Services) {
  return {
    // Not async: a promise costs more than the work.
    preParsing(request: FastifyRequest, _reply: FastifyReply, _payload: unknown, done: HookHandlerDoneFunction) {
      done(missingToken(request));
    },
    errorHandler: async (error: FastifyError | HttpError, request: FastifyRequest) => {
      const isUnreadable = !(error instanceof HttpError) && (error.statusCode ?? 500) < 500;
      if (isUnreadable) await requireSession(services, request);
      throw error;
    },
  };
}

function kindOf({ endpoint, cache, session }: Route): Kind {
  if (session === 'in-statement') return 'vote';
  if (session === 'none') return 'read';
  if (cache) return 'memory';
  const isAct = endpoint.method !== 'GET' || endpoint.path.startsWith('/api/payments');
  const isAdmins = endpoint.access === 'admin' || endpoint.access === 'role';
  return isAct || isAdmins ? 'act' : 'read';
}

function bodyLimitOf({ endpoint, session }: Route): { bodyLimit?: number } {
  const limitBytes = session === 'none' ? ANONYMOUS_BODY_LIMIT_BYTES : endpoint.bodyLimitBytes;
  return limitBytes === undefined ? {} : { bodyLimit: limitBytes };
}

/** Signing in is part of loading a page, so it counts like a read and takes of the budget of reads instead. */
const unitsOf = ({ endpoint }: Route): number =>
  endpoint.method === 'GET' || endpoint.path === auth.signIn.path ? 1 : WRITE_UNITS;

/** Order of a request: its address (client-bounds.ts), load, origin (app.ts), session, access, body, identity, input, handler. */
export function mount(app: FastifyInstance, route: Route, options: MountOptions): void {
  const { endpoint, cache, session } = route;
  const { prefix = '' } = options;
  app.route({
    method: endpoint.method,
    url: routerPath(endpoint.path.slice(prefix.length)),
    ...bodyLimitOf(route),
    config: { kind: kindOf(route), isOpen: endpoint.open === true, endpoint, units: unitsOf(route) },
    // Cached responses are compressed once and not for each request; a vote's is too short.
    ...(cache || session || endpoint.open ? { compress: false as const } : {}),
    ...admitBeforeBody(options, route),
    handler: handlerOf(options, route),
  });
}
