import type { EndpointSpec } from '../endpoint.ts';
import * as contract from './index.ts';

export function allEndpoints(): Array<[name: string, endpoint: EndpointSpec]> {
  const found: Array<[string, EndpointSpec]> = [];
  for (const [subject, exports] of Object.entries(contract)) {
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value === 'object' && 'method' in value && 'path' in value)
        found.push([`${subject}.${name}`, value as EndpointSpec]);
    }
  }
  return found;
}
