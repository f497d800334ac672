import { z } from 'zod';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { hostile, type JsonSchema, type Known, mutate, valueFor } from './inputs.ts';
import type { Random } from './random.ts';

/** One request as sent, without its sender. */
export interface FuzzRequest {
  endpoint: string;
  method: string;
  /** With the query, as in the request line. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** A schema and the source of requests to its endpoint. */
export interface Target {
  name: string;
  endpoint: EndpointSpec;
  params: JsonSchema | null;
  query: JsonSchema | null;
  body: JsonSchema | null;
}

const schemaOf = (schema: z.ZodType | undefined): JsonSchema | null =>
  schema === undefined
    ? null
    : // One is structurally part of the other; nothing except these fields is read.
      (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);

export const targetOf = ([name, endpoint]: [string, EndpointSpec]): Target => ({
  name,
  endpoint,
  params: schemaOf(endpoint.params),
  query: schemaOf(endpoint.query),
  body: schemaOf(endpoint.body),
});

const escape = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed());
};

/** Escapes of themselves, malformed ones and other spellings: all are addresses that a stranger may send. */
function respell(random: Random, path: string): string {
  switch (random.below(8)) {
    case 0:
      return path.replace('/api/', '/%61pi/');
    case 1:
      return path.replace('/api/', '/api//');
    case 2:
      return `${path}%E0%A4%A`;
    case 3:
      return `${path}/`;
    case 4:
      return path.toUpperCase();
    case 5:
      return `${path}%00`;
    case 6:
      return `${path}%2f..%2f..`;
    default:
      return `${path}?${'a=1&'.repeat(200)}`;
  }
}

function pathOf(random: Random, { endpoint, params, query }: Target, known: Known): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const bad = random.chance(0.1);
    const scope = `${endpoint.path.split('/')[2] ?? ''}.${name}`;
    const value = bad
      ? hostile(random)
      : valueFor(random, params?.properties?.[name] ?? {}, known[scope] ? scope : name, known);
    return escape(value).slice(0, 3000) || '0';
  });
  const pairs = Object.entries(query?.properties ?? {})
    .filter(() => random.chance(0.5))
    .flatMap(([name, schema]) => {
      const value = random.chance(0.25) ? hostile(random) : valueFor(random, schema, name, known);
      const pair = `${random.chance(0.03) ? `${name}[]` : name}=${escape(value).slice(0, 3000)}`;
      return random.chance(0.05) ? [pair, pair] : [pair];
    });
  const whole = pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
  return random.chance(0.02) ? respell(random, whole) : whole;
}

function textOf(random: Random, body: unknown): string {
  const json = JSON.stringify(body) ?? 'undefined';
  switch (random.below(100)) {
    case 0:
      return json.slice(0, random.below(json.length + 1));
    case 1:
      return '['.repeat(2000);
    case 2:
      return json.replace('{', '{"__proto__":{"isAdmin":true},');
    case 3:
      return json.replace('{', '{"userId":1,"userId":2,');
    case 4:
      return `\uFEFF${json}`;
    default:
      return json;
  }
}

const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  '',
] as const;

/** A request that is correct, nearly correct or plainly wrong; the same `random` makes the same one. */
export function makeRequest(random: Random, target: Target, known: Known): FuzzRequest {
  const { endpoint } = target;
  const headers: Record<string, string> = {};
  let body: string | null = null;
  const path = pathOf(random, target, known);
  if (endpoint.method !== 'GET' && (target.body !== null || random.chance(0.2))) {
    const made = valueFor(random, target.body ?? {}, 'body', known);
    body = textOf(random, random.chance(0.4) ? mutate(random, made, known) : made);
    headers['content-type'] = random.chance(0.03) ? random.pick(CONTENT_TYPES) : 'application/json';
  }
  if (endpoint.path === '/api/withdrawals' && random.chance(0.5)) {
    headers['idempotency-key'] = random.chance(0.5) ? 'again' : escape(hostile(random)).slice(0, 300);
  }
  if (random.chance(0.02)) headers['x-forwarded-for'] = random.pick(['10.0.0.1', '::1, ::2', ',,', 'x'.repeat(500)]);
  if (random.chance(0.02)) headers['if-none-match'] = random.pick(['*', '"x"', 'W/"', '"'.repeat(300)]);
  return { endpoint: target.name, method: endpoint.method, path, headers, body };
}
