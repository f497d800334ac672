import type * as contract from '#shared/contract/index.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { type ResponseBody, type Call, type LooseCall, request } from './http.ts';

type Subjects = typeof contract;
type All<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer U) => void ? U : never;
/** The page calls every endpoint except those of the open API. */
export type Endpoints = All<Subjects[Exclude<keyof Subjects, 'open' | 'lookup'>]>;
export type Name = { [K in keyof Endpoints]: Endpoints[K] extends EndpointSpec ? K : never }[keyof Endpoints];
export type PagedName = { [K in Name]: Endpoints[K] extends { pages: object } ? K : never }[Name];

type Caller<E> =
  object extends Call<E> ? (call?: Call<E>) => Promise<ResponseBody<E>> : (call: Call<E>) => Promise<ResponseBody<E>>;
type Api = { [K in Name]: Caller<Endpoints[K]> };

/** Rejects with ApiError on any response other than 2xx and when the server cannot be reached; aborting rejects with the AbortError. */
export const api: Api = Object.assign(
  {} as Api,
  Object.fromEntries(
    Object.entries(ENDPOINTS satisfies Record<Name, string>).map(([name, route]) => [
      name,
      (call?: LooseCall) => request(route, call),
    ]),
  ),
);
