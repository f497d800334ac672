import type { JsonSchema, OpenApiDocument, Parameter } from '#shared/openapi/types.ts';
import type { Listed } from './endpoints.ts';

/** Values that make an example work: a project that is listed, and the address of this site. */
export interface Samples {
  origin: string;
  project: string;
}

const UUID = '00000000-0000-4000-8000-000000000000';

/** A value that a schema allows, or what stands for one. */
export function sampleOf(schema: JsonSchema): unknown {
  const { anyOf, oneOf, type, properties, items } = schema;
  const [first] = schema.enum ?? anyOf ?? oneOf ?? [];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return first;
  if (anyOf ?? oneOf) return sampleOf(first as JsonSchema);
  if (properties) {
    const required = schema.required ?? Object.keys(properties);
    const entries = Object.entries(properties).filter(([name]) => required.includes(name));
    return Object.fromEntries(entries.map(([name, part]) => [name, sampleOf(part)]));
  }
  if (type === 'array') return items ? [sampleOf(items)] : [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  return schema.format === 'uuid' ? UUID : '…';
}

function valueOf({ name, schema }: Parameter, path: string, { project }: Samples): string {
  if (name === 'id' && path.includes('/projects/')) return project;
  const { pattern, format } = schema;
  if (format === 'uuid') return UUID;
  if (schema.enum) return String(sampleOf(schema));
  return pattern === undefined ? (name === 'address' ? '0x…' : '1') : '1';
}

/** Single quotes for a shell, with those inside taken apart. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The parameters of a query that have an example, as in '?coin=0x2::sui::SUI'. */
function queryOf(parameters: readonly Parameter[]): string {
  const shown = parameters.filter(({ in: place, schema }) => place === 'query' && schema.examples !== undefined);
  return shown.map(({ name, schema }, i) => `${i === 0 ? '?' : '&'}${name}=${String(schema.examples?.[0])}`).join('');
}

/** A call of the endpoint for a shell, with the parameters that it needs. */
export function curlOf(
  { method, path, operation }: Listed,
  samples: Samples,
  { securitySchemes }: OpenApiDocument['components'],
): string {
  const filled = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, valueOf(parameter, path, samples)), path);
  const body = operation.requestBody?.content['application/json'].schema;
  const needed = Object.keys(operation.security[0] ?? {});
  return [
    `curl ${quote(samples.origin + filled + queryOf(operation.parameters))}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(needed.includes('session') ? [`-b ${quote(`${securitySchemes['session']?.name ?? 'session'}=…`)}`] : []),
    ...(needed.includes('adminToken') ? [`-H ${quote('X-Admin-Token: …')}`] : []),
    ...(body ? [`-H ${quote('Content-Type: application/json')}`, `-d ${quote(JSON.stringify(sampleOf(body)))}`] : []),
  ].join(' \\\n  ');
}
