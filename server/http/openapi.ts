import { z } from 'zod';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { COUNT_MAX_ROWS } from '#shared/pages.ts';
import { type DocumentedStatus, statusesOf } from './statuses.ts';

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query'): object[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, type]) => {
    const { description, ...rest } = toJsonSchema(type as z.ZodType, 'input') as { description?: string };
    return {
      name,
      in: where,
      ...(description === undefined ? {} : { description }),
      required: where === 'path' || !(type as z.ZodType).safeParse(undefined).success,
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
};
const RETRY_HEADERS = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };
const ERROR = { $ref: '#/components/schemas/Error' };
const NEEDS_RETRY = new Set([429, 503]);

const asJson = (schema: object) => ({ content: { 'application/json': { schema } } });

/** The body of success without what the contract sends under a status of its own, such as 202. */
function successBody(response: z.ZodType, statuses: Map<number, DocumentedStatus>): object {
  const others = new Set([...statuses.values()].map(({ body }) => body));
  if (!(response instanceof z.ZodUnion)) return toJsonSchema(response, 'input');
  const [only, ...more] = (response.options as z.ZodType[]).filter((option) => !others.has(option));
  return toJsonSchema(only && more.length === 0 ? only : response, 'input');
}

function responses(endpoint: EndpointSpec, isCached: boolean): Record<string, object> {
  const statuses = statusesOf(endpoint, isCached);
  const success = endpoint.status ?? 200;
  const found: Record<string, object> = {};
  for (const [status, { when, body }] of statuses) {
    const headers = {
      ...(status === success && endpoint.pages ? PAGE_HEADERS : {}),
      ...(NEEDS_RETRY.has(status) ? RETRY_HEADERS : {}),
    };
    const isBare = status === 304;
    const schema = status === success ? successBody(endpoint.response, statuses) : body && toJsonSchema(body, 'input');
    const content =
      status === success && endpoint.contentType
        ? { content: { [endpoint.contentType]: { schema } } }
        : asJson(schema ?? ERROR);
    found[status] = {
      description: when,
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(isBare ? {} : content),
    };
  }
  return found;
}

/** 'votes.castVote' is castVote of the group votes; names of the open API repeat those of the page. */
function namesOf(name: string): { operationId: string; tags: string[] } {
  const [group = '', own = ''] = name.split('.');
  return { operationId: group === 'open' ? `open${own[0]?.toUpperCase() ?? ''}${own.slice(1)}` : own, tags: [group] };
}

function operation(name: string, endpoint: EndpointSpec, isCached: boolean): object {
  const { operationId, tags } = namesOf(name);
  return {
    operationId,
    summary: endpoint.summary,
    tags: endpoint.open ? ['open'] : tags,
    description: `Access: ${endpoint.access}`,
    security:
      endpoint.access === 'public' ? [] : [{ session: [], ...(endpoint.access === 'admin' ? { adminToken: [] } : {}) }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body ? { requestBody: { required: true, ...asJson(toJsonSchema(endpoint.body, 'input')) } } : {}),
    responses: responses(endpoint, isCached),
  };
}

const ABOUT =
  'Everything that Snapswipe does over HTTP. What is under /api/v1 is for everyone: pages of any site may read it, without a ' +
  'session, and it refuses parameters that it does not know. The rest is what the page itself calls; writes need a session, ' +
  'which a wallet gets by signing the challenge of POST /api/auth/wallet. Times are ISO 8601 in UTC, tokens whole numbers, MIST ' +
  'decimal strings.';

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error', 'message'],
  properties: {
    error: { type: 'string', description: 'A stable code' },
    message: { type: 'string', description: 'A sentence for people' },
    field: { type: 'string', description: 'The field at fault' },
  },
};

/** An endpoint by the name that the contract gives it. */
export interface NamedEndpoint {
  name: string;
  endpoint: EndpointSpec;
  isCached: boolean;
}

/** The contract as OpenAPI 3.1. */
export function openApiDocument(origin: string, sessionCookie: string, endpoints: readonly NamedEndpoint[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { name, endpoint, isCached } of endpoints)
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(name, endpoint, isCached),
    };
  return {
    openapi: '3.1.0',
    info: { title: 'Snapswipe', version: '1', description: ABOUT },
    servers: [{ url: origin }],
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
