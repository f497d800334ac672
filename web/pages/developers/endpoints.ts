import type { OpenApiDocument, Operation } from '#shared/openapi/types.ts';

export interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

export const openEndpoints = ({ paths }: OpenApiDocument): Listed[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags.includes('open'))
      .map(([name, operation]) => ({ method: name.toUpperCase(), path, operation })),
  );
