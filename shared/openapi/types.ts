import type { Access } from '../endpoint.ts';

export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  description?: string;
  required: boolean;
  schema: JsonSchema;
}

type Content = Record<string, { schema: JsonSchema | { $ref: string } }>;

export interface DocumentedResponse {
  description: string;
  headers?: Record<string, object>;
  content?: Content;
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  description: string;
  'x-access': Access;
  security: Array<Record<string, string[]>>;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema } } };
  responses: Record<string, DocumentedResponse>;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string; license?: { name: string; url: string } };
  servers: Array<{ url: string }>;
  tags: Array<{ name: string; description: string }>;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    securitySchemes: Record<string, { type: string; in: string; name: string }>;
  };
}
