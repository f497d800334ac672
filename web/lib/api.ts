import type * as contract from '#shared/contract/index.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { type ResponseBody, type Call, type LooseCall, request } from './http.ts';

type Subjects = typeof contract;
export type Endpoints = Subjects['admin'] &
  Subjects['auth'] &
  Subjects['accounts'] &
  Subjects['follows'] &
  Subjects['insights'] &
  Subjects['catalogue'] &
  Subjects['dailyDeck'] &
  Subjects['leaderboard'] &
  Subjects['marks'] &
  Subjects['notices'] &
  Subjects['ownership'] &
  Subjects['payments'] &
  Subjects['overview'] &
  Subjects['payouts'] &
  Subjects['people'] &
  Subjects['projects'] &
  Subjects['push'] &
  Subjects['record'] &
  Subjects['reports'] &
  Subjects['reviews'] &
  Subjects['site'] &
  Subjects['standing'] &
  Subjects['supply'] &
  Subjects['trends'] &
  Subjects['users'] &
  Subjects['versions'] &
  Subjects['votes'] &
  Subjects['withdrawals'];
type Name = { [K in keyof Endpoints]: Endpoints[K] extends EndpointSpec ? K : never }[keyof Endpoints];
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
