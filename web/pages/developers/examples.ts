import type { Parameter } from '#shared/openapi/types.ts';
import type { Listed } from './endpoints.ts';

export interface Samples {
  origin: string;
  project: string;
}

function valueOf({ name, schema }: Parameter, path: string, { project }: Samples): string {
  if (name === 'id' && path.includes('/projects/')) return project;
  const [option] = schema.enum ?? [];
  if (typeof option === 'string') return option;
  return name === 'address' ? '0x…' : '1';
}

function queryOf(parameters: readonly Parameter[]): string {
  const shown = parameters.filter(({ in: place, schema }) => place === 'query' && schema.examples !== undefined);
  return shown.map(({ name, schema }, i) => `${i === 0 ? '?' : '&'}${name}=${String(schema.examples?.[0])}`).join('');
}

export function curlOf({ path, operation: { parameters } }: Listed, samples: Samples): string {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, valueOf(parameter, path, samples)), path);
  return `curl '${samples.origin}${filled}${queryOf(parameters)}'`;
}
