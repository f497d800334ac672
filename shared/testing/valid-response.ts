import { z } from 'zod';
import type { ResponseOf, EndpointSpec } from '#shared/endpoint.ts';

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const formsOf = (schema: z.ZodType): readonly z.ZodType[] =>
  schema instanceof z.ZodUnion ? (schema.options as readonly z.ZodType[]) : [schema];

/**
 * A response made up by a test, checked against the contract: wrong types fail to compile; it throws for a field that
 * the contract does not name, and for anything that the types cannot express.
 */
export function validResponse<E extends EndpointSpec, const A extends ResponseOf<E>>(endpoint: E, body: A): A {
  const results = formsOf(endpoint.response).map((form) => form.safeParse(body));
  const word = `${endpoint.method} ${endpoint.path}`;
  const fitting = results.filter(({ success }) => success);
  if (fitting.length === 0) throw new Error(`Not a response of ${word}: ${results[0]?.error?.message ?? ''}`);
  // The schema leaves out fields that the server never sends.
  if (fitting.some(({ data }) => canonical(data) === canonical(body))) return body;
  throw new Error(`Not a response of ${word}: it has fields that the contract does not name`);
}
