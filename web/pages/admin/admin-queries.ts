import { queryOptions } from '@tanstack/react-query';
import { PAYOUT_MAX_RECIPIENTS, WITHDRAWALS_PAUSED } from '#shared/constants.ts';
import type { WithdrawalState } from '#shared/contract/withdrawals.ts';
import type { VoterState } from '#shared/states/votes.ts';
import { api } from '../../lib/api.ts';
import { fetchRows, type ListPage, type ListSource, type PageCall } from '../../lib/fetch-page.ts';
import { adminRequest } from './admin-session.ts';

const POLL_MS = 15_000;
const POLL_OVERVIEW_MS = 60_000;

interface Call {
  headers: Record<string, string>;
  signal: AbortSignal | undefined;
}

const keyOf = (...key: readonly unknown[]) => ['/api/admin', ...key];

const read = <T>(key: readonly unknown[], load: (call: Call) => Promise<T>, refetchInterval?: number) =>
  queryOptions({
    queryKey: keyOf(...key),
    queryFn: ({ signal }) => adminRequest((headers) => load({ headers, signal })),
    refetchInterval: refetchInterval ?? false,
    refetchOnMount: 'always',
  });

const list = <T>(
  key: readonly unknown[],
  load: (query: PageCall, call: Call) => Promise<ListPage<T>>,
): ListSource<T> => ({
  queryKey: keyOf(...key),
  load: (query, signal) => adminRequest((headers) => load(query, { headers, signal })),
});

export const adminLists = {
  withdrawals: (state: WithdrawalState, standing?: VoterState) =>
    list(['withdrawals', state, standing ?? null], (page, call) =>
      fetchRows('listAllWithdrawals', { query: { state, standing, ...page }, ...call }),
    ),
  audit: (q: string, actor?: string) =>
    list(['audit', q, actor ?? null], (page, call) =>
      fetchRows('listAudit', { query: { q, actor, ...page }, ...call }),
    ),
  moderatedProjects: (q: string) =>
    list(['moderation', 'projects', q], (page, call) =>
      fetchRows('listModeratedProjects', { query: { q, ...page }, ...call }),
    ),
  moderatedReviews: (q: string) =>
    list(['moderation', 'reviews', q], (page, call) =>
      fetchRows('listModeratedReviews', { query: { q, ...page }, ...call }),
    ),
  moderatedReplies: (q: string) =>
    list(['moderation', 'replies', q], (page, call) =>
      fetchRows('listModeratedReplies', { query: { q, ...page }, ...call }),
    ),
  imports: () => list(['imports'], (query, call) => fetchRows('listImports', { query, ...call })),
  marked: () => list(['moderation', 'marked'], (query, call) => fetchRows('listMarked', { query, ...call })),
  reports: () => list(['moderation', 'reports'], (query, call) => fetchRows('listReports', { query, ...call })),
  moderatedVotes: (voterId?: number) =>
    list(['moderation', 'votes', voterId ?? null], (page, call) =>
      fetchRows('listModeratedVotes', { query: { voterId, ...page }, ...call }),
    ),
  appeals: (state: 'open' | 'answered') =>
    list(['appeals', state], (page, call) => fetchRows('listAppeals', { query: { state, ...page }, ...call })),
  unclaimed: () =>
    list(['unclaimed'], (page, call) =>
      fetchRows('listAllPayments', { query: { state: 'unclaimed', ...page }, ...call }),
    ),
};

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
      ['withdrawals', 'approved', 'ready', standing ?? null],
      ({ signal }) => adminLists.withdrawals('approved', standing).load({ limit: PAYOUT_MAX_RECIPIENTS }, signal),
      POLL_MS,
    ),
};

export const pollQueue = (): number => POLL_MS;
const MODERATED = [
  keyOf('moderation'),
  ['/api/projects'],
  ['/api/projects/leaderboard/all'],
  ['/api/v1/projects'],
  ['/api/reviews'],
];

export const TOUCHED = {
  payouts: [keyOf('withdrawals'), keyOf('payouts')],
  refunds: [keyOf('unclaimed'), keyOf('appeals')],
  appeals: [keyOf('appeals')],
  votes: [keyOf('moderation', 'votes')],
  people: [keyOf('people'), keyOf('audit')],
  moderated: MODERATED,
  imports: [keyOf('imports'), ...MODERATED],
};
