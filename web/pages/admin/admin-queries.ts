import { queryOptions } from '@tanstack/react-query';
import { PAYOUT_MAX_RECIPIENTS, WITHDRAWALS_PAUSED } from '#shared/constants.ts';
import type { VoterState } from '#shared/states/votes.ts';
import { api } from '../../lib/api.ts';
import type { Endpoints } from '../../lib/api.ts';
import { fetchRows, type ListSource, type PageCall, type RowsName } from '../../lib/fetch-page.ts';
import type { Call, ResponseBody } from '../../lib/http.ts';
import { adminRequest } from './admin-session.ts';

const POLL_MS = 15_000;
const POLL_OVERVIEW_MS = 60_000;

interface ReadCall {
  headers: Record<string, string>;
  signal: AbortSignal | undefined;
}

const keyOf = (...key: readonly unknown[]) => ['/api/admin', ...key];

const read = <T>(key: readonly unknown[], load: (call: ReadCall) => Promise<T>, refetchInterval?: number) =>
  queryOptions({
    queryKey: keyOf(...key),
    queryFn: ({ signal }) => adminRequest((headers) => load({ headers, signal })),
    refetchInterval: refetchInterval ?? false,
    refetchOnMount: 'always',
  });

type Listed<K extends RowsName> = Omit<NonNullable<Call<Endpoints[K]>['query']>, keyof PageCall>;

/** A list of the panel by its endpoint, whose name begins its key, and what narrows it. */
export const adminList = <K extends RowsName>(
  name: K,
  query: Listed<K>,
): ListSource<ResponseBody<Endpoints[K]>[number]> => ({
  queryKey: keyOf(name, query),
  load: (page, signal) =>
    adminRequest((headers) => fetchRows(name, { query: { ...query, ...page }, headers, signal } as Call<Endpoints[K]>)),
});

export const adminQueries = {
  paused: () =>
    read(['paused'], async (call) => {
      const { configValue } = await api.getConfig({ params: { key: WITHDRAWALS_PAUSED }, ...call });
      return configValue === 'true';
    }),
  overview: () => read(['overview'], api.getOverview, POLL_OVERVIEW_MS),
  people: () => read(['people'], api.listPeople),
  payoutBook: () => read(['payouts', 'book'], api.getPayoutBook, POLL_MS),
  automaticPayouts: () => read(['payouts', 'automatic'], api.getAutomaticPayouts, POLL_MS),
  ready: (standing?: VoterState) =>
    read(
      ['listAllWithdrawals', 'ready', standing ?? null],
      ({ signal }) =>
        adminList('listAllWithdrawals', { state: 'approved', standing }).load({ limit: PAYOUT_MAX_RECIPIENTS }, signal),
      POLL_MS,
    ),
};

export const pollQueue = (): number => POLL_MS;
