import type { OpenApiDocument, Operation } from '#shared/openapi/types.ts';

/** An endpoint as the page lists it. */
export interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

/** The endpoints of the document that are open to every site, in its order. */
export const openEndpoints = ({ paths }: OpenApiDocument): Listed[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags.includes('open'))
      .map(([name, operation]) => ({ method: name.toUpperCase(), path, operation })),
  );
