import { queryOptions } from '@tanstack/react-query';
import { PAYOUT_MAX_RECIPIENTS, WITHDRAWALS_PAUSED } from '#shared/constants.ts';
import type {
  AdminWithdrawal,
  AuditEntry,
  ModeratedProject,
  ModeratedReply,
  ModeratedReview,
  PayoutBatch,
} from '#shared/contract/admin.ts';
import type { CatalogueImport } from '#shared/contract/catalogue.ts';
import type { NameReview } from '#shared/contract/names.ts';
import type { OutgoingTransfer } from '#shared/contract/payout-history.ts';
import type { AdminPayment } from '#shared/contract/payments.ts';
import type { ReportedSubject } from '#shared/contract/reports.ts';
import type { AdminAppeal, ModeratedVote } from '#shared/contract/standing.ts';
import type { WithdrawalState } from '#shared/contract/withdrawals.ts';
import type { VoterState } from '#shared/states/votes.ts';
import { api } from '../../lib/api.ts';
import { fetchRows, type ListPage, type ListSource } from '../../lib/fetch-page.ts';
import { queryClient } from '../../lib/queries.ts';
import type { Pages } from '../../lib/use-list.ts';
import { adminRequest } from './admin-session.ts';

const POLL_MS = 15_000;
const POLL_SENT_MS = 3_000;
const POLL_OVERVIEW_MS = 60_000;

/** The reads of the admin panel; all under one key, which the logout clears. */
export const adminQueries = {
  paused: () =>
    queryOptions({
      queryKey: ['/api/admin', 'paused'],
      queryFn: async ({ signal }) => {
        const params = { key: WITHDRAWALS_PAUSED } as const;
        const { configValue } = await adminRequest((headers) => api.getConfig({ params, headers, signal }));
        return configValue === 'true';
      },
      refetchOnMount: 'always',
    }),
  overview: () =>
    queryOptions({
      queryKey: ['/api/admin', 'overview'],
      queryFn: ({ signal }) => adminRequest((headers) => api.getOverview({ headers, signal })),
      refetchInterval: POLL_OVERVIEW_MS,
      refetchOnMount: 'always',
    }),
  people: () =>
    queryOptions({
      queryKey: ['/api/admin', 'people'],
      queryFn: ({ signal }) => adminRequest((headers) => api.listPeople({ headers, signal })),
      refetchOnMount: 'always',
    }),
  /** How far the transactions of the paying wallets were read. */
  payoutHistory: () =>
    queryOptions({
      queryKey: ['/api/admin', 'payouts', 'history'],
      queryFn: ({ signal }) => adminRequest((headers) => api.getPayoutHistory({ headers, signal })),
      refetchInterval: POLL_MS,
      refetchOnMount: 'always',
    }),
  /** Rule and key that approve and pay without a person, and their work of today. */
  automaticPayouts: () =>
    queryOptions({
      queryKey: ['/api/admin', 'payouts', 'automatic'],
      queryFn: ({ signal }) => adminRequest((headers) => api.getAutomaticPayouts({ headers, signal })),
      refetchInterval: POLL_MS,
      refetchOnMount: 'always',
    }),
  /** Approved withdrawals for one transaction, the oldest first; with `standing` those of such wallets only. */
  ready: (standing?: VoterState) =>
    queryOptions({
      queryKey: ['/api/admin', 'withdrawals', 'approved', 'ready', standing ?? null],
      queryFn: ({ signal }) =>
        adminLists.withdrawals('approved', standing).load({ limit: PAYOUT_MAX_RECIPIENTS }, signal),
      refetchInterval: POLL_MS,
      refetchOnMount: 'always',
    }),
};

/** The lists of the admin panel, a page at a time; under the same key as its reads. */
export const adminLists = {
  withdrawals: (state: WithdrawalState, standing?: VoterState): ListSource<AdminWithdrawal> => ({
    queryKey: ['/api/admin', 'withdrawals', state, standing ?? null],
    load: (page, signal) =>
      adminRequest((headers) =>
        fetchRows('listAllWithdrawals', { query: { state, standing, ...page }, headers, signal }),
      ),
  }),
  payouts: (): ListSource<PayoutBatch> => ({
    queryKey: ['/api/admin', 'payouts'],
    load: (query, signal) => adminRequest((headers) => fetchRows('listPayouts', { query, headers, signal })),
  }),
  transfers: (): ListSource<OutgoingTransfer> => ({
    queryKey: ['/api/admin', 'payouts', 'transfers'],
    load: (query, signal) => adminRequest((headers) => fetchRows('listTransfers', { query, headers, signal })),
  }),
  /** With `actor`, entries of one person. */
  audit: (q: string, actor?: string): ListSource<AuditEntry> => ({
    queryKey: ['/api/admin', 'audit', q, actor ?? null],
    load: (page, signal) =>
      adminRequest((headers) => fetchRows('listAudit', { query: { q, actor, ...page }, headers, signal })),
  }),
  moderatedProjects: (q: string): ListSource<ModeratedProject> => ({
    queryKey: ['/api/admin', 'moderation', 'projects', q],
    load: (page, signal) =>
      adminRequest((headers) => fetchRows('listModeratedProjects', { query: { q, ...page }, headers, signal })),
  }),
  moderatedReviews: (q: string): ListSource<ModeratedReview> => ({
    queryKey: ['/api/admin', 'moderation', 'reviews', q],
    load: (page, signal) =>
      adminRequest((headers) => fetchRows('listModeratedReviews', { query: { q, ...page }, headers, signal })),
  }),
  moderatedReplies: (q: string): ListSource<ModeratedReply> => ({
    queryKey: ['/api/admin', 'moderation', 'replies', q],
    load: (page, signal) =>
      adminRequest((headers) => fetchRows('listModeratedReplies', { query: { q, ...page }, headers, signal })),
  }),
  imports: (): ListSource<CatalogueImport> => ({
    queryKey: ['/api/admin', 'imports'],
    load: (query, signal) => adminRequest((headers) => fetchRows('listImports', { query, headers, signal })),
  }),
  nameReviews: (): ListSource<NameReview> => ({
    queryKey: ['/api/admin', 'moderation', 'names'],
    load: (query, signal) => adminRequest((headers) => fetchRows('listNameReviews', { query, headers, signal })),
  }),
  reports: (): ListSource<ReportedSubject> => ({
    queryKey: ['/api/admin', 'moderation', 'reports'],
    load: (query, signal) => adminRequest((headers) => fetchRows('listReports', { query, headers, signal })),
  }),
  /** Votes that were set aside automatically; with a user, all votes of that one. */
  moderatedVotes: (userId?: number): ListSource<ModeratedVote> => ({
    queryKey: ['/api/admin', 'moderation', 'votes', userId ?? null],
    load: (page, signal) =>
      adminRequest((headers) =>
        fetchRows('listModeratedVotes', { query: { voterId: userId, ...page }, headers, signal }),
      ),
  }),
  appeals: (state: 'open' | 'answered'): ListSource<AdminAppeal> => ({
    queryKey: ['/api/admin', 'appeals', state],
    load: (page, signal) =>
      adminRequest((headers) => fetchRows('listAppeals', { query: { state, ...page }, headers, signal })),
  }),
  unclaimed: (): ListSource<AdminPayment> => ({
    queryKey: ['/api/admin', 'unclaimed'],
    load: (page, signal) =>
      adminRequest((headers) =>
        fetchRows('listAllPayments', { query: { state: 'unclaimed', ...page }, headers, signal }),
      ),
  }),
};

/** The queue is read again so often. */
export const pollQueue = (): number => POLL_MS;
/** Also the payouts, and a pending one is watched. */
export const pollPayouts = (known: Pages<ListPage<PayoutBatch>> | undefined): number =>
  known?.pages.some(({ rows }) => rows.some(({ state }) => state === 'sent')) ? POLL_SENT_MS : POLL_MS;

/** Reads the queue and the payouts again. */
export function refreshQueue(): Promise<void> {
  const keys = [
    ['/api/admin', 'withdrawals'],
    ['/api/admin', 'payouts'],
  ];
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey }))).then(() => undefined);
}
