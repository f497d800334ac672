import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { open, lookup, projects } from '#shared/contract/index.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { USER_TEXTS } from '#shared/user-texts.ts';
import { allowEverySite, nameLicense } from '#server/kit/http/cors.ts';
import { asInnerRequest } from '#server/kit/http/inner-request.ts';
import { HttpError } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';

/**
 * The open API as tools of the Model Context Protocol (R93): Streamable HTTP without sessions, read-only. A call is a request of
 * the same client to the same address of /api/v1, inside of the server: limits, costs, checks and errors are those of that read.
 */
export const MCP_PATH = '/mcp';

/** Each tool is a read of the open API: description and input are those of the contract. */
const TOOLS = {
  lookup: lookup.lookUp,
  project: open.getProject,
  leaderboard: projects.searchProjects,
  trend: open.getProjectTrend,
  trust: open.getTrust,
} as const satisfies Record<string, EndpointSpec>;

const NAME = 'snapswipe';
const INSTRUCTIONS =
  'Votes of Sui wallets on crypto projects, bullish or bearish. Verified votes are of wallets that held SUI for weeks; give them before all ' +
  `votes, with their number. ${USER_TEXTS.note}`;

const shapeOf = (schema: z.ZodType | undefined): z.ZodRawShape =>
  schema === undefined ? {} : (schema as z.ZodObject).shape;

function addressOf({ path }: EndpointSpec, input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  const inPath = new Set<string>();
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(input[name]));
  });
  for (const [name, value] of Object.entries(input))
    if (!inPath.has(name) && ['string', 'number', 'boolean'].includes(typeof value)) query.set(name, String(value));
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
    const isError = response.statusCode >= 400;
    const said = isError ? response.body : `{"textsOfUsers":${JSON.stringify(USER_TEXTS)},"data":${response.body}}`;
    return { content: [{ type: 'text' as const, text: said }], isError };
  }

  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const server = new McpServer({ name: NAME, version: '1' }, { instructions: INSTRUCTIONS });
      const caller = requestInfo && callerOf.get(requestInfo);
      for (const [name, endpoint] of Object.entries(TOOLS) as Array<[string, EndpointSpec]>)
        server.registerTool(
          name,
          {
            description: endpoint.summary,
            inputSchema: zod.object({ ...shapeOf(endpoint.params), ...shapeOf(endpoint.query) }),
            annotations: { readOnlyHint: true, openWorldHint: false },
          },
          (input) => call(endpoint, input as Record<string, unknown>, caller),
        );
      return server;
    },
    { keepAliveMs: 0 },
  );
  return async (request: FastifyRequest): Promise<Response> => {
    const headers = Object.entries(request.headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const sent = new Request(new URL(MCP_PATH, config.publicOrigin), {
      method: 'POST',
      headers: headers.filter(([name]) => /^(?:accept|content-type|mcp-.*)$/.test(name)),
      body: JSON.stringify(request.body),
    });
    callerOf.set(sent, request);
    return handler.fetch(sent, { parsedBody: request.body });
  };
}

/** One message at a time; a subscription would keep a connection open. */
function expectOneCall(body: unknown): void {
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;
  if (Array.isArray(body)) throw new HttpError(400, 'one_call', 'Send one message at a time');
  if (method === 'subscriptions/listen')
    throw new HttpError(400, 'no_subscriptions', 'There is nothing to subscribe to');
}

/** The answer to a preflight: the CORS plugin would answer those of every other address, too. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
};

export function mountMcp(app: FastifyInstance, services: Services): void {
  const { config } = services;
  let handler: ReturnType<typeof loadHandler> | undefined;
  app.post(
    MCP_PATH,
    { config: { kind: 'read', isOpen: true, rateLimit: { max: config.writesPerMinute, timeWindow: 60_000 } } },
    async (request, reply) => {
      nameLicense(allowEverySite(reply), config.dataLicense).header('Cache-Control', 'no-store');
      expectOneCall(request.body);
      const response = await (await (handler ??= loadHandler(app, services)))(request);
      reply.code(response.status);
      const type = response.headers.get('content-type');
      if (type) reply.type(type);
      return reply.send(await response.text());
    },
  );
  app.options(MCP_PATH, async (_request, reply) => allowEverySite(reply).headers(PREFLIGHT).code(204).send());
  app.route({
    method: ['GET', 'DELETE'],
    url: MCP_PATH,
    handler: (_request, reply) => {
      reply.header('Allow', 'POST');
      throw new HttpError(405, 'post_only', 'Tools are called by POST. There are no sessions.');
    },
  });
}
