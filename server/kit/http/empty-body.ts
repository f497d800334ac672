import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Clients announce a type for a body that they then leave empty: no body, whatever its type. The contract says who needs one. */
export function withoutEmptyBody({ headers }: FastifyRequest): void {
  if (headers['content-length'] === '0') delete headers['content-type'];
}

type ParseJson = (request: FastifyRequest, text: string, done: (error: Error | null, body?: unknown) => void) => void;

/** The framework's parser, which also takes an empty body whose length was not announced. Not async: a promise costs more than the work. */
export function jsonParserOf(app: FastifyInstance): ParseJson {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, text, done) => {
    if (text === '') done(null, undefined);
    else void parse(request, text, done);
  };
}

export function takeEmptyBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, jsonParserOf(app));
}
