import { z } from 'zod';
import { allEndpoints } from '#shared/contract/all.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { COUNT_MAX_ROWS } from '#shared/pages.ts';

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): object =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' });

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query'): object[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, type]) => ({
    name,
    in: where,
    required: where === 'path' || !(type as z.ZodType).safeParse(undefined).success,
    schema: toJsonSchema(type as z.ZodType, 'input'),
  }));
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

function operation(name: string, endpoint: EndpointSpec): object {
  const error = {
    description: 'Error',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [name.split('.')[0]],
    description: `Access: ${endpoint.access}`,
    security:
      endpoint.access === 'public' ? [] : [{ session: [], ...(endpoint.access === 'admin' ? { adminToken: [] } : {}) }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toJsonSchema(endpoint.body, 'input') } },
          },
        }
      : {}),
    responses: {
      [endpoint.status ?? 200]: {
        description: 'Success',
        ...(endpoint.pages ? { headers: PAGE_HEADERS } : {}),
        content: { 'application/json': { schema: toJsonSchema(endpoint.response, 'input') } },
      },
      default: error,
    },
  };
}

let cached: object | null = null;

/** The contract as OpenAPI 3.1, made once. */
export function openApiDocument(origin: string): object {
  if (cached) return cached;
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, endpoint] of allEndpoints()) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  cached = {
    openapi: '3.1.0',
    info: { title: 'Snapswipe', version: '1' },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'message'],
          properties: { error: { type: 'string' }, message: { type: 'string' } },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'snapswipe_session' },
        adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
      },
    },
  };
  return cached;
}
