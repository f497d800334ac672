/** Responses that journeys make up: valid by the contract, or they throw. */
import type { Route } from '@playwright/test';
import type { ResponseOf, EndpointSpec } from '#shared/endpoint.ts';
import { validResponse } from '#shared/testing/valid-response.ts';

export const respond = <E extends EndpointSpec>(
  route: Route,
  endpoint: E,
  body: ResponseOf<E>,
  headers: Record<string, string> = {},
): Promise<void> => route.fulfill({ status: endpoint.status ?? 200, headers, json: validResponse(endpoint, body) });

/** The server's own response to a call, as the contract names it, to be changed and sent on by `respond`. */
export async function ownResponse<E extends EndpointSpec>(route: Route, _endpoint: E): Promise<ResponseOf<E>> {
  return (await (await route.fetch()).json()) as ResponseOf<E>;
}

/** Rejects a call as the server does (R34): a code, a message, and the field that it concerns. */
export const reject = (
  route: Route,
  status: number,
  body: { error: string; message: string; field?: string },
): Promise<void> => route.fulfill({ status, json: body });

export const failSilently = (route: Route, status = 503): Promise<void> => route.fulfill({ status, body: '' });

/** Fields of a project that only its owner sees, for one that is not hidden. */
export const SHOWN = { hiddenReason: null, canAppeal: false, appeal: null, refund: null };
