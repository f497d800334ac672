import type * as contract from '#shared/contract/index.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { type Answer, type Call, type LooseCall, send, type Word } from './http.ts';

type Subjects = typeof contract;
export type Endpoints = Subjects['admin'] &
  Subjects['auth'] &
  Subjects['leaderboard'] &
  Subjects['payments'] &
  Subjects['projects'] &
  Subjects['reviews'] &
  Subjects['site'] &
  Subjects['supply'] &
  Subjects['users'] &
  Subjects['votes'] &
  Subjects['withdrawals'];
type Name = { [K in keyof Endpoints]: Endpoints[K] extends EndpointSpec ? K : never }[keyof Endpoints];
/** Endpoints whose lists come in pages. */
export type PagedName = { [K in Name]: Endpoints[K] extends { pages: object } ? K : never }[Name];

/** Method and path of every endpoint: the words are checked against the contract, whose schemas stay on the server. */
export const routes = {
  adminLogin: 'POST /api/admin/login',
  adminLogout: 'POST /api/admin/logout',
  getConfig: 'GET /api/admin/config/{key}',
  setConfig: 'POST /api/admin/config',
  executeSql: 'POST /api/admin/execute-sql',
  listAllWithdrawals: 'GET /api/admin/withdrawals',
  approveWithdrawal: 'POST /api/admin/withdrawals/{id}/approve',
  rejectWithdrawal: 'POST /api/admin/withdrawals/{id}/reject',
  listAudit: 'GET /api/admin/audit',
  preparePayout: 'POST /api/admin/payouts',
  executePayout: 'POST /api/admin/payouts/{id}/execute',
  cancelPayout: 'POST /api/admin/payouts/{id}/cancel',
  listPayouts: 'GET /api/admin/payouts',
  listModeratedProjects: 'GET /api/admin/moderation/projects',
  listModeratedReviews: 'GET /api/admin/moderation/reviews',
  moderateProject: 'POST /api/admin/projects/{id}/moderate',
  moderateReview: 'POST /api/admin/reviews/{id}/moderate',
  signIn: 'POST /api/auth/wallet',
  signOut: 'POST /api/auth/logout',
  listSessions: 'GET /api/auth/sessions',
  endSession: 'DELETE /api/auth/sessions/{id}',
  endSessions: 'DELETE /api/auth/sessions',
  getLeaderboard: 'GET /api/leaderboard',
  preparePayment: 'POST /api/payments',
  executePayment: 'POST /api/payments/{id}/execute',
  cancelPayment: 'POST /api/payments/{id}/cancel',
  listPayments: 'GET /api/payments',
  getPayment: 'GET /api/payments/{id}',
  exportPayments: 'GET /api/payments.csv',
  listAllPayments: 'GET /api/admin/payments',
  resolvePayment: 'POST /api/admin/payments/{id}/resolve',
  listProjects: 'GET /api/projects',
  getProject: 'GET /api/projects/{id}',
  listWalletProjects: 'GET /api/projects/wallet/{address}',
  createProject: 'POST /api/projects',
  updateProject: 'PATCH /api/projects/{id}/update',
  renewProject: 'POST /api/projects/{id}/renew',
  projectLeaderboard: 'GET /api/projects/leaderboard/all',
  listReviews: 'GET /api/projects/{id}/reviews',
  postReview: 'POST /api/projects/{id}/reviews',
  getSiteConfig: 'GET /api/config',
  getSupply: 'GET /api/supply',
  getUser: 'GET /api/users/{id}',
  updateUser: 'PATCH /api/users/{id}',
  replaceUser: 'PUT /api/users/{id}',
  getStats: 'GET /api/users/{id}/stats',
  getVotingStatus: 'GET /api/users/{id}/voting-status',
  listVotes: 'GET /api/users/{id}/votes',
  listActivity: 'GET /api/users/{id}/activity',
  castVote: 'POST /api/votes',
  requestWithdrawal: 'POST /api/withdrawals',
  listWithdrawals: 'GET /api/withdrawals',
} as const satisfies { [K in Name]: Word<Endpoints[K]> };

type Caller<E> =
  object extends Call<E> ? (call?: Call<E>) => Promise<Answer<E>> : (call: Call<E>) => Promise<Answer<E>>;
type Api = { [K in Name]: Caller<Endpoints[K]> };

/**
 * The typed caller: `api.castVote({ body })`, `api.getStats({ params: { id } })`.
 * Rejects with ApiError on any answer but 2xx and when the server cannot be reached; aborting rejects with the AbortError.
 */
export const api: Api = Object.assign(
  {} as Api,
  Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, (call?: LooseCall) => send(route, call)])),
);
