import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { WITHDRAWALS_PAUSED } from '#shared/constants.ts';
import type { WithdrawalState } from '#shared/contract/withdrawals.ts';
import { api } from '../../api.ts';
import { queryClient } from '../../queries.ts';
import { deskCall } from './admin-session.ts';

const POLL_MS = 15_000;
const POLL_SENT_MS = 3_000;

/** The reads of the desk; all under one key, which the logout clears. */
export const deskQueries = {
  paused: () =>
    queryOptions({
      queryKey: ['/api/admin', 'paused'],
      queryFn: async ({ signal }) => {
        const params = { key: WITHDRAWALS_PAUSED } as const;
        const { configValue } = await deskCall((headers) => api.getConfig({ params, headers, signal }));
        return configValue === 'true';
      },
      refetchOnMount: 'always',
    }),
  withdrawals: (state: WithdrawalState) =>
    queryOptions({
      queryKey: ['/api/admin', 'withdrawals', state],
      queryFn: ({ signal }) => deskCall((headers) => api.listAllWithdrawals({ query: { state }, headers, signal })),
      refetchInterval: POLL_MS,
      refetchOnMount: 'always',
    }),
  payouts: () =>
    queryOptions({
      queryKey: ['/api/admin', 'payouts'],
      queryFn: ({ signal }) => deskCall((headers) => api.listPayouts({ headers, signal })),
      refetchInterval: (query) => (query.state.data?.some(({ state }) => state === 'sent') ? POLL_SENT_MS : POLL_MS),
      refetchOnMount: 'always',
    }),
  audit: (q: string, before: number | undefined) =>
    queryOptions({
      queryKey: ['/api/admin', 'audit', q, before ?? null],
      queryFn: ({ signal }) => deskCall((headers) => api.listAudit({ query: { q, before }, headers, signal })),
      placeholderData: keepPreviousData,
      refetchOnMount: 'always',
    }),
  moderation: (q: string) =>
    queryOptions({
      queryKey: ['/api/admin', 'moderation', q],
      queryFn: ({ signal }) => deskCall((headers) => api.listModeration({ query: { q }, headers, signal })),
      placeholderData: keepPreviousData,
      refetchOnMount: 'always',
    }),
  unclaimed: () =>
    queryOptions({
      queryKey: ['/api/admin', 'unclaimed'],
      queryFn: ({ signal }) =>
        deskCall((headers) => api.listAllPayments({ query: { state: 'unclaimed' }, headers, signal })),
      refetchOnMount: 'always',
    }),
};

/** Reads the queue and the payouts again. */
export function refreshQueue(): Promise<void> {
  const keys = [
    ['/api/admin', 'withdrawals'],
    ['/api/admin', 'payouts'],
  ];
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey }))).then(() => undefined);
}
