import type { WorkerScope } from './scope.ts';

/** Statuses of a proxy while the server is away, and of the server while it cannot serve. */
export const isAway = ({ status }: Response): boolean => status >= 502 && status <= 504;

/** A portal's page in place of a file. */
const isForeign = ({ headers }: Response): boolean => /html/.test(headers.get('content-type') ?? '');

/** @throws TypeError where another than the server has responded */
export async function fetchFile(fetch: WorkerScope['fetch'], request: RequestInfo): Promise<Response> {
  const response = await fetch(request);
  if (isAway(response) || (response.ok && isForeign(response))) throw new TypeError('The server is away');
  return response;
}
