import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { open, lookup, projects } from '#shared/contract/index.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { FIGURES_ON_HEADER, NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import { USER_TEXTS } from '#shared/text/user-texts.ts';
import { WRITE_UNITS } from '#server/kit/http/client-bounds.ts';
import { allowEverySite, nameLicense } from '#server/kit/http/cors.ts';
import { asInnerRequest } from '#server/kit/http/inner-request.ts';
import { badRequest, HttpError } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';

/**
 * The open API as tools of the Model Context Protocol (R93): Streamable HTTP without sessions, read-only. A call is a request of
 * the same client to the same address of /api/v1, inside of the server: limits, costs, checks and errors are those of that read.
 */
export const MCP_PATH = '/mcp';

/** Each tool is a read of the open API: description and input are those of the contract, with other defaults. */
const TOOLS: Record<string, { endpoint: EndpointSpec; defaults?: Readonly<Record<string, unknown>> }> = {
  lookup: { endpoint: lookup.lookUp },
  project: { endpoint: open.getProject },
  leaderboard: { endpoint: projects.searchProjects, defaults: { sort: 'verified', limit: 10 } },
  trend: { endpoint: open.getProjectTrend },
  trust: { endpoint: open.getTrust },
};

const NAME = 'snapswipe';
const INSTRUCTIONS =
  'Votes of Sui wallets on crypto projects, bullish or bearish. Verified votes are of wallets that held SUI for weeks; give them before all ' +
  `votes, with their number and their day (\`figuresOn\`). ${USER_TEXTS.note}`;

const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  schema === undefined ? {} : (schema as z.ZodObject<Record<string, z.ZodType>>).shape;

function inputOf({ endpoint, defaults = {} }: (typeof TOOLS)[string]): z.ZodRawShape {
  const shape = { ...shapeOf(endpoint.params), ...shapeOf(endpoint.query) };
  for (const [name, value] of Object.entries(defaults)) if (shape[name]) shape[name] = shape[name].default(value);
  if (shape['cursor'])
    shape['cursor'] = shape['cursor'].describe('nextCursor of the answer before, beside the same other arguments');
  return shape;
}

function addressOf({ path }: EndpointSpec, input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  const inPath = new Set<string>();
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(input[name]));
  });
  for (const [name, sent] of Object.entries(input))
    for (const value of [sent].flat())
      if (!inPath.has(name) && ['string', 'number', 'boolean'].includes(typeof value))
        query.append(name, String(value));
  return query.size === 0 ? address : `${address}?${query.toString()}`;
}

async function loadHandler(app: FastifyInstance, { config }: Services) {
  const [{ createMcpHandler, McpServer }, { z: zod }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('zod'),
  ]);
  const callerOf = new WeakMap<Request, FastifyRequest>();

  async function call(endpoint: EndpointSpec, input: Record<string, unknown>, caller: FastifyRequest | undefined) {
    const headers = { host: caller?.headers.host ?? new URL(config.publicOrigin).host };
    const from = caller ? { remoteAddress: caller.ip } : {};
    const response = await asInnerRequest(() =>
      app.inject({ method: 'GET', url: addressOf(endpoint, input), headers, ...from }),
    );
    const {
      [NEXT_CURSOR_HEADER]: nextCursor = null,
      [TOTAL_COUNT_HEADER]: total,
      [FIGURES_ON_HEADER]: figuresOn = null,
      'retry-after': wait,
    } = response.headers;
    const isError = response.statusCode >= 400;
    const place = endpoint.pages ? { nextCursor, total: total === undefined ? null : Number(total), figuresOn } : {};
    const said = isError
      ? { ...response.json<object>(), ...(wait === undefined ? {} : { retryAfterSeconds: Number(wait) }) }
      : { textsOfUsers: USER_TEXTS, ...place, data: response.json<unknown>() };
    return { content: [{ type: 'text' as const, text: JSON.stringify(said) }], isError };
  }

  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const server = new McpServer({ name: NAME, version: '1' }, { instructions: INSTRUCTIONS });
      const caller = requestInfo && callerOf.get(requestInfo);
      for (const [name, tool] of Object.entries(TOOLS))
        server.registerTool(
          name,
          {
            description: tool.endpoint.summary,
            inputSchema: zod.object(inputOf(tool)),
            annotations: { readOnlyHint: true, openWorldHint: false },
          },
          (input) => call(tool.endpoint, input as Record<string, unknown>, caller),
        );
      return server;
    },
    { keepAliveMs: 0 },
  );
  return async (request: FastifyRequest, message: unknown): Promise<Response> => {
    const headers = new Headers({ accept: `${JSON_TYPE}, ${STREAM_TYPE}` });
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string' && /^(?:content-type|mcp-.*)$/.test(name)) headers.set(name, value);
    // An initialize names the version in its body.
    if (isObject(message) && message['method'] === 'initialize') headers.delete(VERSION_HEADER);
    const body = JSON.stringify(message);
    const sent = new Request(new URL(MCP_PATH, config.publicOrigin), { method: 'POST', headers, body });
    callerOf.set(sent, request);
    return handler.fetch(sent, { parsedBody: message });
  };
}

const VERSION_HEADER = 'mcp-protocol-version';
/** The one version with batches, which is assumed for a client without the header. */
const WITH_BATCHES = '2025-03-26';
const MAX_BATCH = 10;
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Drops arguments that are null or empty: models send them for what they leave out. */
function withoutEmptyArguments(message: unknown): unknown {
  if (!isObject(message) || !isObject(message['params']) || message['method'] !== 'tools/call') return message;
  const sent = message['params']['arguments'] ?? {};
  if (!isObject(sent)) return message;
  const given = Object.entries(sent).filter(([, value]) => value !== null && value !== '');
  return { ...message, params: { ...message['params'], arguments: Object.fromEntries(given) } };
}

/** A batch as one list of messages, else null. A subscription would keep a connection open. */
function readBatch({ body, headers }: FastifyRequest): unknown[] | null {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  if (messages.some((message) => isObject(message) && message['method'] === 'subscriptions/listen'))
    throw badRequest('no_subscriptions', 'There is nothing to subscribe to');
  if (!Array.isArray(body)) return null;
  if ((headers[VERSION_HEADER] ?? WITH_BATCHES) !== WITH_BATCHES)
    throw badRequest('one_call', 'Send one message at a time');
  if (messages.length === 0 || messages.length > MAX_BATCH)
    throw badRequest('one_call', `Send 1 to ${MAX_BATCH} messages at a time`);
  return messages;
}

/** The message of a response, which the library also writes as a stream of one event. */
const messageIn = (text: string): string => /^data: (.*)$/m.exec(text)?.[1] ?? text;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

/** An error of the server itself as one of JSON-RPC, which is all that clients read. */
function asRpcError(status: number, text: string, wait: unknown): string {
  const said = JSON.parse(text) as { error?: unknown; message?: unknown; jsonrpc?: unknown };
  if (said.jsonrpc !== undefined || Array.isArray(said)) return text;
  const code = said.error === 'bad_request' ? PARSE_ERROR : status === 400 ? INVALID_REQUEST : SERVER_ERROR;
  const data = { error: said.error, ...(wait === undefined ? {} : { retryAfterSeconds: Number(wait) }) };
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: said.message, data } });
}

/** The response to a preflight: the CORS plugin would respond to those of every other address, too. `*` does not name Authorization. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
};

export function mountMcp(app: FastifyInstance, services: Services): void {
  const { config } = services;
  let handler: ReturnType<typeof loadHandler> | undefined;

  async function ask(request: FastifyRequest, message: unknown) {
    const response = await (await (handler ??= loadHandler(app, services)))(request, withoutEmptyArguments(message));
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  }

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    nameLicense(allowEverySite(reply), config.dataLicense).header('Cache-Control', 'no-store');
    const batch = readBatch(request);
    if (batch) {
      const answers = await Promise.all(batch.map((message) => ask(request, message)));
      const said = answers.map(({ text }) => messageIn(text)).filter((text) => text !== '');
      return said.length === 0 ? reply.code(202).send() : reply.type(JSON_TYPE).send(`[${said.join()}]`);
    }
    const { status, type, text } = await ask(request, request.body);
    const isForJson = type === STREAM_TYPE && !request.headers.accept?.includes(STREAM_TYPE);
    if (type) reply.type(isForJson ? JSON_TYPE : type);
    return reply.code(status).send(isForJson ? messageIn(text) : text);
  }

  for (const url of [MCP_PATH, `${MCP_PATH}/`]) {
    app.post(url, {
      config: { kind: 'read', isOpen: true, units: WRITE_UNITS },
      onSend: async (_request, reply, payload) =>
        reply.statusCode >= 400 && typeof payload === 'string'
          ? asRpcError(reply.statusCode, payload, reply.getHeader('retry-after'))
          : payload,
      handler: respond,
    });
    app.options(url, async (_request, reply) => allowEverySite(reply).headers(PREFLIGHT).code(204).send());
    app.route({
      method: ['GET', 'DELETE'],
      url,
      handler: (_request, reply) => {
        reply.header('Allow', 'POST');
        throw new HttpError(405, 'post_only', 'Tools are called by POST. There are no sessions.');
      },
    });
  }
}
