import cookie from '@fastify/cookie';
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { OPEN_PREFIX } from '#shared/endpoint.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import { isDatabaseAway } from '#db/database-away.ts';
import { SHED, createAdmission, isRefused } from './kit/http/admission.ts';
import { sendKnownAsNotModified } from './kit/cache/if-none-match.ts';
import { type CachedResponse, toCachedResponse, sendCached } from './kit/cache/responses.ts';
import { readForwardedFor } from './kit/http/address.ts';
import { clientAddress } from './kit/http/client-address.ts';
import { createActsOfSession } from './kit/http/acts-of-session.ts';
import { boundClients } from './kit/http/client-bounds.ts';
import { createSignInLimits } from './people/auth/limits.ts';
import { createDrain } from './kit/http/drain.ts';
import { sendFailure } from './kit/http/away-page.ts';
import { BusyError, HttpError } from './kit/http/errors.ts';
import { sendFrameworkError, sendUnreadable, literalUrl } from './kit/http/framework-errors.ts';
import { mountCoins } from './open/lookup/routes.ts';
import { mountBadges } from './open/badge/routes.ts';
import { mountImages } from './listings/images/routes.ts';
import { mountAtom } from './open/api/atom.ts';
import { mountLlms } from './open/machines/llms.ts';
import { mountMcp } from './open/machines/mcp.ts';
import { createDocuments } from './site/legal/document.ts';
import { mountLegal, mountTrustDocuments } from './site/legal/legal.ts';
import { mountLog } from './record/files.ts';
import { collectUndocumented, responseCheckOf } from './kit/http/check-response.ts';
import { openToEverySite } from './kit/http/cors.ts';
import { mountHealth } from './kit/http/health.ts';
import { type NamedEndpoint, openApiDocument } from '#shared/openapi/document.ts';
import { foreignOrigin } from './kit/http/origin.ts';
import { takeEmptyBodies, withoutEmptyBody } from './kit/http/empty-body.ts';
import { wrongHost } from './kit/http/one-host.ts';
import { logsRequests } from './kit/http/log.ts';
import type { PressureSource } from './kit/http/pressure.ts';
import { createReadBudget } from './kit/http/read-budget.ts';
import { RequestLog } from './kit/http/request-log.ts';
import { countFromNow, countTraffic } from './kit/traffic.ts';
import { mount } from './kit/http/mount.ts';
import { requireAdminToken } from './panel/admin/gate.ts';
import { allRoutes } from './routes.ts';
import { addSecurityHeaders } from './kit/http/security-headers.ts';
import type { Services } from './kit/services.ts';
import { trustOf } from './kit/trusted-proxies.ts';
import { takeLargeBodies } from './kit/http/uploads.ts';
import { getCachedSession, sessionCookieName } from './kit/http/session.ts';
import { type BuiltPage, mountPages } from './site/pages.ts';

const DEFAULT_BODY_LIMIT_BYTES = 64 * 1024;

const RATE_LIMITED = 'rate_limited';

/** The browser's message for an error that is not ours to explain (R34). */
const PLAIN: Record<number, [code: string, message: string]> = {
  400: ['bad_request', 'The request could not be read'],
  413: ['too_large', 'The request is too large'],
  415: ['unsupported_media_type', 'Send JSON with content type application/json'],
  429: [RATE_LIMITED, 'Too many requests. Please wait a moment.'],
};

/** SQLSTATEs of text that PostgreSQL cannot hold (a NUL character, half a surrogate pair): the sender's mistake. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);
const UNSTORABLE = { error: 'invalid_text', message: 'The text contains a character that cannot be stored' };

/** The error of keep_deleted_empty: the account was deleted during the request. */
const ACCOUNT_DELETED = 'SD001';
const SESSION_ENDED = { error: 'not_signed_in', message: 'User not logged in' };

const DATABASE_AWAY_S = '5';
const INTERNAL = { error: 'internal', message: 'Something went wrong on our side. Please try again.' };
const DATABASE_AWAY = { error: 'database_away', message: 'The service is not available right now. Please try again.' };

function handleErrors(app: FastifyInstance, log: () => Services['log']): void {
  app.setErrorHandler((error: FastifyError | HttpError, request, reply) => {
    if (error instanceof HttpError) {
      if (error.retryAfterS !== undefined) reply.header('Retry-After', String(error.retryAfterS));
      if (error instanceof BusyError) log().warn(`refused for now: ${error.code}`);
      else if (error.status >= 500) log().error({ err: error, reqId: request.id }, 'request failed');
      const body = { error: error.code, message: error.message, ...error.extra };
      const passes = error.status === 429 || error.status >= 500;
      return passes ? sendFailure(request, reply.code(error.status), body) : reply.code(error.status).send(body);
    }
    if (error.code === ACCOUNT_DELETED) return reply.code(401).send(SESSION_ENDED);
    if (UNSTORABLE_TEXT.has(error.code)) return reply.code(400).send(UNSTORABLE);
    const status = error.statusCode ?? 500;
    const plain = PLAIN[status];
    if (plain) return reply.code(status).send({ error: plain[0], message: plain[1] });
    if (status < 500)
      return reply.code(status).send({ error: 'bad_request', message: 'The request could not be handled' });
    log().error({ err: error, reqId: request.id }, 'request failed');
    if (isDatabaseAway(error))
      return sendFailure(request, reply.code(503).header('Retry-After', DATABASE_AWAY_S), DATABASE_AWAY);
    return sendFailure(request, reply.code(500), INTERNAL);
  });
}

const mayHaveBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** The rejection of a compressed body, or null. */
function packedBody({ method, headers }: FastifyRequest): HttpError | null {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity' || method === 'GET' || method === 'HEAD') return null;
  return new HttpError(415, 'unsupported_encoding', 'Send the request without compression');
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [first: T[], second: T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function admit(app: FastifyInstance, services: Services, source: PressureSource | null): void {
  const admission = createAdmission(app, {
    source,
    known: (request) => {
      const session = getCachedSession(services, request);
      if (session === undefined) return 'unknown';
      return session === null ? 'anonymous' : 'session';
    },
    isVoteQueueFull: services.votes.isFull,
    onLevel: (level, reason) => services.log.warn(reason, `under load: refusing ${SHED[level]}`),
  });
  app.decorate('admission', admission);
}

/** The endpoints of the contract, and what only their routes know of them. */
function namedEndpoints(): NamedEndpoint[] {
  const cached = new Set(allRoutes.filter((route) => route.cache).map(({ endpoint }) => endpoint));
  return allEndpoints().map(([name, endpoint]) => ({ name, endpoint, isCached: cached.has(endpoint) }));
}

/** Adds routes that are not part of the contract. */
export type MountRoutes = (app: FastifyInstance, services: Services) => void | Promise<void>;

/** `distDir` holds the built page, if there is one. */
export interface AppOptions extends Partial<BuiltPage> {
  /** Load of the process; without it, only the number of open requests counts. */
  pressure?: PressureSource | null;
  /** Routes for operators, which the server itself knows nothing of. */
  mounts?: readonly MountRoutes[];
}

/** The whole HTTP side over the given services; it does not listen yet. */
export async function buildApp(services: Services, options: AppOptions = {}): Promise<FastifyInstance> {
  const { config } = services;
  const app = fastify({
    // With a logger each request gets one of its own and is watched to its end; without, our errors still go to services.log.
    ...(logsRequests(config.logLevel)
      ? { loggerInstance: services.log as FastifyBaseLogger, logController: new RequestLog() }
      : { logger: false as const }),
    trustProxy: trustOf(config.trustProxy),
    bodyLimit: DEFAULT_BODY_LIMIT_BYTES,
    // Finishes open requests, refuses new ones.
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    // Checked every second: until then an unfinished request holds what it has sent.
    requestTimeout: 30_000,
    // wrongHost rejects a request without a host, too.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: literalUrl,
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: sendUnreadable,
  });
  readForwardedFor(app, config.trustProxy);
  countTraffic(app);
  handleErrors(app, () => services.log);
  await app.register(cookie);
  await app.register(compress, {
    global: true,
    // Responses only: a request of 14 KB may unpack to 15 MB.
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip'],
  });
  await app.register(rateLimit, {
    global: false,
    keyGenerator: clientAddress,
    // Sent only with a rejection; on every response they would be wasted bytes.
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: (_request, context) =>
      new HttpError(429, RATE_LIMITED, 'Too many requests. Please wait a moment.', {
        retryAfterS: Math.ceil(context.ttl / 1000),
      }),
  });
  app.decorate('signInLimits', createSignInLimits(app, config));
  if (config.env === 'test') collectUndocumented(app);
  addSecurityHeaders(app, services);
  sendKnownAsNotModified(app);
  app.decorate('sessionCookie', sessionCookieName(config));
  app.decorate('readBudget', createReadBudget(config.readMsPerMinute));
  app.decorate('actsOfSession', createActsOfSession());
  app.decorateRequest('admitted', undefined);
  app.decorate('drain', createDrain());
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (mayHaveBody(request)) app.drain(request.raw, reply.raw);
    done();
  });
  // Before everything that looks at a request.
  boundClients(app, config);
  admit(app, services, options.pressure ?? null);
  // Depends on the method and on the matched route, never on the text of the address, which has many spellings
  // (/%61pi/votes).
  app.addHook('onRequest', (request, reply, done) => {
    const { url, config: route } = request.routeOptions;
    countFromNow(request, route);
    if (isRefused(route.kind ?? 'read', request, reply)) return;
    // The open API ignores sessions.
    const foreign = route.isOpen ? null : foreignOrigin(request, config.publicOrigin);
    const rejection = wrongHost(request) ?? foreign ?? packedBody(request);
    if (rejection) return done(rejection);
    withoutEmptyBody(request);
    // The default, unless a route says otherwise.
    if (url?.startsWith('/api/')) reply.header('Cache-Control', 'no-store');
    done();
  });
  takeEmptyBodies(app);
  mountHealth(app, services);
  for (const mountRoutes of options.mounts ?? []) await mountRoutes(app, services);
  const [open, own] = partition(allRoutes, ({ endpoint }) => endpoint.open === true);
  const [large, small] = partition(own, ({ endpoint }) => endpoint.bodyLimitBytes !== undefined);
  const mounting = { services, requireAdminToken, check: responseCheckOf(config) };
  for (const route of small) mount(app, route, mounting);
  await app.register(async (scope) => {
    takeLargeBodies(scope);
    for (const route of large) mount(scope, route, mounting);
  });
  await app.register(
    async (scope) => {
      await openToEverySite(scope, config.dataLicense);
      for (const route of open) mount(scope, route, { ...mounting, prefix: OPEN_PREFIX });
    },
    { prefix: OPEN_PREFIX },
  );
  let openApi: CachedResponse | undefined;
  app.get('/api/openapi.json', { compress: false }, (request, reply) => {
    openApi ??= toCachedResponse(
      openApiDocument(config.publicOrigin, app.sessionCookie, namedEndpoints(), config.dataLicense),
    );
    sendCached(request, reply, openApi);
  });
  mountImages(app, services);
  mountBadges(app, services);
  mountCoins(app, services);
  const drawDocument = await createDocuments(options.distDir ?? null, config);
  await mountLegal(app, services, drawDocument);
  await mountTrustDocuments(app, drawDocument);
  mountLog(app, services);
  mountAtom(app, services);
  mountMcp(app, services);
  mountLlms(app, services);
  await mountPages(app, services, { distDir: null, ...options });
  return app;
}
