import type { EndpointSpec, QueryOf, ReceivedOf, SentBody, SentParams } from '#shared/endpoint.ts';
import { ApiError, readError } from './api-error.ts';
import { noteServerDate } from './server-clock.ts';

export type Word<E> = E extends { method: infer M extends string; path: infer P extends string } ? `${M} ${P}` : never;

type Part<K extends string, T> = [T] extends [undefined] ? unknown : { [P in K]: T };
type PathParams<T> = [T] extends [undefined] ? undefined : { [P in keyof T]: string | number };
type Search<T> = [T] extends [undefined] ? unknown : { query?: { [P in keyof T]?: T[P] | undefined } };

export type Call<E> = E extends EndpointSpec
  ? Part<'params', PathParams<SentParams<E>>> &
      Part<'body', SentBody<E>> &
      Search<QueryOf<E>> & { headers?: Record<string, string>; signal?: AbortSignal }
  : never;

/** The body of a successful response, as the contract says. Times are ISO strings, MIST decimal strings. */
export type ResponseBody<E> = E extends EndpointSpec ? ReceivedOf<E> : never;

export interface LooseCall {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export function buildUrl(path: string, params: LooseCall['params'] = {}, query: LooseCall['query'] = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/** The code of a 401 that says: this call came without a live session. Others are about a password, a token or a signature. */
const NO_SESSION = 'not_signed_in';

interface SessionWatch {
  era: () => number;
  lost: (era: number) => void;
}
let watch: SessionWatch | undefined;

export function watchSession(next: SessionWatch): void {
  watch = next;
}

/** Without an answer for so long, and a millisecond for each character that is sent, a call is lost (R99). */
const ANSWER_MS = 15_000;
/** The work of an admin, and an archive. */
const SLOW_MS = 120_000;

const readJson = (response: Response): unknown => (response.status === 204 ? undefined : response.json());

/** @throws ApiError also where `read` cannot read the response: it is of a portal or a proxy then, not of the server */
export async function request<T = unknown>(
  route: string,
  call: LooseCall = {},
  read = readJson as (response: Response) => T,
): Promise<Awaited<T>> {
  const [method = 'GET', path = ''] = route.split(' ');
  const era = watch?.era() ?? 0;
  const startedAtMs = Date.now();
  const body = JSON.stringify(call.body) as string | undefined;
  const late = AbortSignal.timeout((/admin|archive/.test(path) ? SLOW_MS : ANSWER_MS) + (body?.length ?? 0));
  let response: Response;
  try {
    response = await fetch(buildUrl(path, call.params, call.query), {
      method,
      credentials: 'include',
      headers: { ...call.headers, ...(body && { 'content-type': 'application/json' }) },
      body: body as string,
      signal: AbortSignal.any([call.signal ?? late, late]),
    });
    noteServerDate(response.headers.get('date'), startedAtMs, Date.now());
    if (response.ok) return await read(response);
  } catch (cause) {
    throw call.signal?.aborted ? cause : ApiError.offline(cause);
  }
  const error = await readError(response);
  if (error.status === 401 && error.code === NO_SESSION) watch?.lost(era);
  throw error;
}

export const callEndpoint = request as <E extends EndpointSpec>(
  word: Word<E>,
  call?: Call<E>,
) => Promise<ResponseBody<E>>;
