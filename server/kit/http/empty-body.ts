import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Clients announce a type for a body that they then leave empty: no body, whatever its type. The contract says who needs one. */
export function withoutEmptyBody({ headers }: FastifyRequest): void {
  if (headers['content-length'] === '0') delete headers['content-type'];
}

type ParseJson = (request: FastifyRequest, text: string) => Promise<unknown>;

/** The framework's parser, which also takes an empty body whose length was not announced. */
export function jsonParserOf(app: FastifyInstance): ParseJson {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, text) =>
    new Promise((resolve, reject) => {
      if (text === '') resolve(undefined);
      else void parse(request, text, (error, body) => (error ? reject(error) : resolve(body)));
    });
}

export function takeEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else void parse(request, text, done);
  });
}
