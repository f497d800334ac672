import { z } from 'zod';
import type { EndpointSpec } from '../endpoint.ts';
import { COUNT_MAX_ROWS } from '../site/pages.ts';
import { type DocumentedStatus, statusesOf } from './statuses.ts';
import type { DocumentedResponse, JsonSchema, OpenApiDocument, Operation, Parameter } from './types.ts';

function toJsonSchema(schema: z.ZodType): JsonSchema & { description?: string } {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest as JsonSchema;
}

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query'): Parameter[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, type]) => {
    const { description, ...rest } = toJsonSchema(type);
    return {
      name,
      in: where,
      ...(description === undefined ? {} : { description }),
      required: where === 'path' || !type.safeParse(undefined).success,
      schema: rest,
    };
  });
}

const PAGE_HEADERS = {
  'X-Next-Cursor': {
    description: 'Send it as `cursor`, with the same other parameters, for the next page; missing on the last page',
    schema: { type: 'string' },
  },
  'X-Total-Count': {
    description: `Rows of all pages; missing above ${COUNT_MAX_ROWS}`,
    schema: { type: 'integer' },
  },
  'X-Figures-On': {
    description: 'The last closed day, of which the figures are that are not live; in lists of projects',
    schema: { type: 'string', format: 'date' },
  },
};
const RETRY_HEADERS = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };
const ERROR = { $ref: '#/components/schemas/Error' };
const NEEDS_RETRY = new Set([429, 503]);
const NOT_MODIFIED = 304;

function successBody(response: z.ZodType, statuses: Map<number, DocumentedStatus>): JsonSchema {
  const others = new Set([...statuses.values()].map(({ body }) => body));
  if (!(response instanceof z.ZodUnion)) return toJsonSchema(response);
  const [only, ...more] = (response.options as z.ZodType[]).filter((option) => !others.has(option));
  return toJsonSchema(only && more.length === 0 ? only : response);
}

function responses(endpoint: EndpointSpec, isCached: boolean): Record<string, DocumentedResponse> {
  const statuses = statusesOf(endpoint, isCached);
  const success = endpoint.status ?? 200;
  const found: Record<string, DocumentedResponse> = {};
  for (const [status, { when, body }] of statuses) {
    const isSuccess = status === success;
    const type = (isSuccess ? endpoint.contentType : undefined) ?? 'application/json';
    const schema = isSuccess ? successBody(endpoint.response, statuses) : body ? toJsonSchema(body) : ERROR;
    const headers = {
      ...(isSuccess && endpoint.pages ? PAGE_HEADERS : {}),
      ...(NEEDS_RETRY.has(status) ? RETRY_HEADERS : {}),
    };
    found[status] = {
      description: when,
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(status === NOT_MODIFIED ? {} : { content: { [type]: { schema } } }),
    };
  }
  return found;
}

function namesOf(name: string, { open }: EndpointSpec): { operationId: string; tags: string[] } {
  const [group = '', own = ''] = name.split('.');
  const operationId = group === 'open' ? `open${own[0]?.toUpperCase() ?? ''}${own.slice(1)}` : own;
  return { operationId, tags: [open ? 'open' : group] };
}

const CALLERS: Record<EndpointSpec['access'], string> = {
  public: 'Everyone.',
  user: 'A session.',
  self: 'The session of the user that the path names.',
  owner: 'The session of the owner, or of the admin.',
  role: 'A session of the admin wallet',
  admin: 'A session of the admin wallet',
};

/** 'A session of the admin wallet or of a payer, with the X-Admin-Token of a login.' */
function callerOf({ access, roles = [] }: EndpointSpec): string {
  if (access !== 'role' && access !== 'admin') return CALLERS[access];
  const granted = roles.map((role) => ` or of a ${role}`).join('');
  return `${CALLERS[access]}${granted}${access === 'admin' ? ', with the X-Admin-Token of a login' : ''}.`;
}

function operation({ name, endpoint, isCached }: NamedEndpoint): Operation {
  const { access, summary, body, params, query } = endpoint;
  const needed = { session: [], ...(access === 'admin' ? { adminToken: [] } : {}) };
  return {
    ...namesOf(name, endpoint),
    summary,
    description: `Who may call it: ${callerOf(endpoint)}`,
    'x-access': access,
    security: access === 'public' ? [] : [needed],
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: toJsonSchema(body) } } } }
      : {}),
    responses: responses(endpoint, isCached),
  };
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error', 'message'],
  properties: {
    error: { type: 'string', description: 'A stable code' },
    message: { type: 'string', description: 'A sentence for people' },
    field: { type: 'string', description: 'The field that is not valid' },
  },
};

const ABOUT =
  'All HTTP endpoints of Snapswipe. Those under /api/v1 are open: pages of any site may read them without a ' +
  'session, and unknown parameters are rejected. The others serve the page; writes need a session, ' +
  'which a wallet gets by signing the challenge of POST /api/auth/wallet. Times are ISO 8601 in UTC, Snaps are whole numbers, MIST ' +
  'are decimal strings.';

/** Groups whose names need an explanation. */
const ABOUT_GROUPS: Record<string, string> = {
  open: 'For every site, without a session',
  auth: 'Sign-in by wallet, and sessions',
  admin: 'The admin panel',
};

export interface NamedEndpoint {
  name: string;
  endpoint: EndpointSpec;
  isCached: boolean;
}

/** The open API first, the admin's endpoints last. */
const placeOf = (group: string): number => (group === 'open' ? 0 : group === 'admin' ? 2 : 1);

/** The contract as OpenAPI 3.1. */
export function openApiDocument(
  origin: string,
  sessionCookie: string,
  endpoints: readonly NamedEndpoint[],
  license: { name: string; url: string } | null = null,
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  const groups = new Set<string>();
  for (const named of endpoints) {
    const { path, method } = named.endpoint;
    const made = operation(named);
    for (const tag of made.tags) groups.add(tag);
    paths[path] = { ...paths[path], [method.toLowerCase()]: made };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Snapswipe', version: '1', description: ABOUT, ...(license && { license }) },
    servers: [{ url: origin }],
    tags: [...groups]
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map((name) => ({ name, description: ABOUT_GROUPS[name] ?? '' })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
      },
    },
  };
}
