/**
 * The contract is data: each endpoint has method, path, access, input and response, declared with zod. The server's
 * adapter parses and checks access and identity by it, one test walks it for 401 and 403, and OpenAPI is generated from
 * it. The browser imports its types only, so zod stays out of the page. Rejected: tRPC, because the specification fixes
 * the paths.
 */
import type { z } from 'zod';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { type GrantedRole, RIGHTS } from './people/roles.ts';

/**
 * Who may call an endpoint. `public`: everyone. `user`: any session. `self`: the session whose user id is the path's `id`.
 * `owner`: a session; the action checks that it owns the project named in the path, or is the admin.
 * `role`: a session of a wallet with a role in the admin panel that may call it (shared/people/roles.ts). `admin`: that, plus a valid
 * X-Admin-Token.
 */
export type Access = 'public' | 'user' | 'self' | 'owner' | 'role' | 'admin';

export type StatusSpec = string | { when: string; body: z.ZodType };

export interface EndpointSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/api/${string}`;
  access: Access;
  /**
   * With access `role` or `admin`: granted roles that may call it in addition to the owner, as in RIGHTS
   * (shared/people/roles.ts).
   */
  roles?: readonly GrantedRole[];
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** A list in pages, declared by `inPages` (shared/contract/pages.ts): rows of a page by default and at most. */
  pages?: { size: number; max: number };
  response: z.ZodType;
  status?: 200 | 201 | 202;
  contentType?: 'text/csv' | 'application/zip';
  /**
   * Further statuses, and when they are returned; those of every endpoint of its kind are in
   * shared/openapi/statuses.ts.
   */
  statuses?: Readonly<Record<number, StatusSpec>>;
  bodyLimitBytes?: number;
  /**
   * Part of the open API: responds to pages of any site (CORS `*`), reads no session, and rejects unknown parameters.
   * Only for public reads under OPEN_PREFIX.
   */
  open?: true;
  /**
   * `userId`, `walletAddress` and `submittedBy` in the request must be the session's (R3); false only where none can
   * exist yet or none is read.
   */
  identity?: false;
}

export const OPEN_PREFIX = '/api/v1';

/** A name's place in the table of endpoints: 'GET /api/supply' → 'GET' and '/api/supply'. */
type RouteOf<N extends EndpointName> =
  (typeof ENDPOINTS)[N] extends `${infer M extends EndpointSpec['method']} ${infer P extends EndpointSpec['path']}`
    ? { method: M; path: P }
    : never;

type OwnSpec = Omit<EndpointSpec, 'method' | 'path' | 'roles'> & { roles?: never };

/**
 * Declares the input and output of the endpoint of this name, with literal types; method and path are those of
 * ENDPOINTS, roles those of RIGHTS.
 */
export function endpoint<const N extends EndpointName, const E extends OwnSpec>(name: N, spec: E): E & RouteOf<N> {
  const [method, path] = ENDPOINTS[name].split(' ');
  const roles = RIGHTS[name];
  return { ...spec, ...(roles ? { roles } : {}), method, path } as E & RouteOf<N>;
}

type OpenPath<P extends string> = P extends `/api/${infer Rest}` ? `${typeof OPEN_PREFIX}/${Rest}` : never;

/** A public read of the page as part of the open API: the same declaration, '/api/supply' as '/api/v1/supply'. */
export function openly<const E extends EndpointSpec>(
  endpoint: E,
): Omit<E, 'path' | 'open'> & { path: OpenPath<E['path']>; open: true } {
  const path = endpoint.path.replace('/api', OPEN_PREFIX) as OpenPath<E['path']>;
  return { ...endpoint, path, open: true };
}

export const openRead = <
  const P extends `${typeof OPEN_PREFIX}/${string}`,
  const E extends Omit<EndpointSpec, 'method' | 'path' | 'access' | 'open'>,
>(
  path: P,
  spec: E,
) => ({ ...spec, method: 'GET' as const, path, access: 'public' as const, open: true as const });

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined;

export type ParamsOf<E extends EndpointSpec> = Parsed<E['params']>;
export type QueryOf<E extends EndpointSpec> = Parsed<E['query']>;
export type BodyOf<E extends EndpointSpec> = Parsed<E['body']>;
export type ResponseOf<E extends EndpointSpec> = z.input<E['response']>;
export type SentParams<E extends EndpointSpec> = Sent<E['params']>;
export type SentBody<E extends EndpointSpec> = Sent<E['body']>;
export type ReceivedOf<E extends EndpointSpec> = z.output<E['response']>;
