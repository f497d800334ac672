import type { EndpointSpec } from '#shared/endpoint.ts';
import { HttpError } from './errors.ts';

/** In tests every response is checked against the contract, so that the two cannot drift apart. */
export function checkResponse(endpoint: EndpointSpec, body: unknown): void {
  const result = endpoint.response.safeParse(body);
  if (!result.success) {
    throw new HttpError(
      500,
      'contract_broken',
      `${endpoint.method} ${endpoint.path} responds against its contract: ${result.error.message}`,
    );
  }
}
