import type { z } from 'zod';
import type { EndpointSpec, StatusSpec } from '../endpoint.ts';

export interface DocumentedStatus {
  when: string;
  body?: z.ZodType;
}

const IDENTITY = 'A field that names a user (userId, walletAddress, submittedBy)';

function accessStatuses({ access, roles = [], identity, open }: EndpointSpec): Record<number, string> {
  if (access === 'user') return { 401: 'Not signed in', 403: `${IDENTITY} names another user than the session` };
  if (access !== 'public') {
    const owners = { self: 'the user that the path names', owner: 'the owner of the project' } as const;
    const who =
      access === 'self' || access === 'owner'
        ? owners[access]
        : ['the owner', ...roles.map((role) => `a ${role}`)].join(' or ');
    const token = access === 'admin' ? ', or without a valid X-Admin-Token' : '';
    return { 401: `Not signed in${token}`, 403: `The session is not that of ${who}` };
  }
  if (identity === false || open) return {};
  return { 401: `${IDENTITY} was sent without a session`, 403: `${IDENTITY} names another user than the session` };
}

const WRITES: Record<number, string> = {
  403: 'Sent by a page of another site',
  413: 'The request is too large',
  415: 'The body is not JSON, is compressed, or contains an image of an unknown type',
};

const described = (spec: StatusSpec): DocumentedStatus => (typeof spec === 'string' ? { when: spec } : spec);

export function statusesOf(endpoint: EndpointSpec, isCached = false): Map<number, DocumentedStatus> {
  const { method, params, query, open, statuses = {}, bodyLimitBytes } = endpoint;
  const isRead = method === 'GET';
  const access = accessStatuses(endpoint);
  const ofKind: Record<number, string | undefined> = {
    [endpoint.status ?? 200]: 'Success',
    ...(isRead && (isCached || open) ? { 304: 'Not changed since the ETag in If-None-Match' } : {}),
    ...(!isRead || params || query || open ? { 400: 'The request is not valid; the body names the field' } : {}),
    ...(params ? { 404: 'Not found' } : {}),
    ...(isRead ? {} : WRITES),
    ...(bodyLimitBytes ? { 408: 'The body arrived too slowly' } : {}),
    ...access,
    ...(!isRead && access[403] ? { 403: `${access[403]}; or sent by a page of another site` } : {}),
    429: 'Too many requests; see Retry-After',
    500: 'Internal error',
    503: 'Busy, or the database is unavailable; see Retry-After',
  };
  const found = new Map<number, DocumentedStatus>();
  for (const [status, when] of Object.entries(ofKind)) if (when) found.set(Number(status), { when });
  for (const [status, spec] of Object.entries(statuses)) {
    const general = found.get(Number(status));
    const own = described(spec);
    found.set(Number(status), general ? { ...own, when: `${own.when}. ${general.when}` } : own);
  }
  return new Map([...found].toSorted(([a], [b]) => a - b));
}
