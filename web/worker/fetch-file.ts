import type { WorkerScope } from './scope.ts';

/** What a proxy says while the server is away, or the server itself while it cannot serve. */
export const isAway = ({ status }: Response): boolean => status >= 502 && status <= 504;

/** A portal's page in place of a file. */
const isForeign = ({ headers }: Response): boolean => /html/.test(headers.get('content-type') ?? '');

/** @throws TypeError where another than the server has responded */
export async function fetchFile(fetch: WorkerScope['fetch'], request: RequestInfo): Promise<Response> {
  const response = await fetch(request);
  if (isAway(response) || (response.ok && isForeign(response))) throw new TypeError('The server is away');
  return response;
}
