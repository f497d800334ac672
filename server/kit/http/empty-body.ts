import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Some clients announce a type for a body that they leave empty: it counts as no body. The contract says who needs one. */
export function withoutEmptyBody({ headers }: FastifyRequest): void {
  if (headers['content-length'] === '0') delete headers['content-type'];
}

type ParseJson = (request: FastifyRequest, text: string, done: (error: Error | null, body?: unknown) => void) => void;

/** Deeper than any body of the contract: unbounded recursion over a value would end in a RangeError. */
const MAX_DEPTH = 64;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/**
 * The framework's parser, which also takes an empty body whose length was not announced, and rejects deep nesting. Not async: a promise costs
 * more than the work.
 */
export function jsonParserOf(app: FastifyInstance): ParseJson {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, text, done) => {
    if (text === '') done(null, undefined);
    else
      void parse(request, text, (error, body: unknown) => {
        if (error === null && isDeeper(body, MAX_DEPTH))
          done(Object.assign(new Error('Nested too deeply'), { statusCode: 400 }));
        else done(error, body);
      });
  };
}

export function takeEmptyBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, jsonParserOf(app));
}
