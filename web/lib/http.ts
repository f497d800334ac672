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

export async function request(route: string, call: LooseCall = {}): Promise<Response> {
  const [method = 'GET', path = ''] = route.split(' ');
  const era = watch?.era() ?? 0;
  const startedAtMs = Date.now();
  const init: RequestInit = {
    method,
    credentials: 'include',
    headers: { ...call.headers },
    signal: call.signal ?? null,
  };
  if (call.body !== undefined) {
    init.body = JSON.stringify(call.body);
    init.headers = { ...call.headers, 'content-type': 'application/json' };
  }
  let response: Response;
  try {
    response = await fetch(buildUrl(path, call.params, call.query), init);
  } catch (cause) {
    if (call.signal?.aborted) throw cause;
    throw ApiError.offline(cause);
  }
  noteServerDate(response.headers.get('date'), startedAtMs, Date.now());
  if (!response.ok) {
    const error = await readError(response);
    if (error.status === 401 && error.code === NO_SESSION) watch?.lost(era);
    throw error;
  }
  return response;
}

export async function send(route: string, call?: LooseCall): Promise<unknown> {
  const response = await request(route, call);
  return response.status === 204 ? undefined : response.json();
}

export const callEndpoint = <E extends EndpointSpec>(word: Word<E>, call?: Call<E>): Promise<ResponseBody<E>> =>
  send(word, call) as Promise<ResponseBody<E>>;
