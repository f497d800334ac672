import {
  type InferDataFromTag,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
  queryOptions,
  type Updater,
} from '@tanstack/react-query';
import {
  FEED_FIRST_CARDS,
  FEED_LIMIT,
  POLL_LEADERBOARD_MS,
  POLL_REVIEWS_MS,
  POLL_STATS_MS,
  POLL_TOP_PROJECTS_MS,
  POLL_VOTING_STATUS_MS,
  SIDEBAR_TOP_PROJECTS,
} from '#shared/constants.ts';
import { POLL_NOTICES_MS } from '#shared/people/notice-kinds.ts';
import type { OwnProject } from '#shared/contract/projects.ts';
import type { Notice } from '#shared/contract/notices.ts';
import type { Review } from '#shared/contract/reviews.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import type { Project } from '#shared/contract/types.ts';
import type { PageData } from '#shared/site/first-paint.ts';
import type { Activity, VoteHistoryItem } from '#shared/contract/users.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { api } from './api.ts';
import { fetchAllRows, fetchPage, fetchRows, type ListPage, type ListSource, type PageCall } from './fetch-page.ts';
import { newRows } from './entry-state.ts';
import { nextFrame } from './next-frame.ts';
import { readPageJson } from './page-json.ts';
import { serverNow } from './server-clock.ts';
import { session } from './session.ts';

type Known<K extends QueryKey> = InferDataFromTag<unknown, K> | undefined;

/**
 * Data that is asked for again after a write is read after it. The library keeps a first read that is still open: its response may be older
 * than the write, and would stay.
 */
class FreshQueryClient extends QueryClient {
  override invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) {
      const isFirst = query.state.data === undefined && query.state.fetchStatus !== 'idle';
      if (isFirst && query.isActive()) void query.cancel({ silent: true });
    }
    return super.invalidateQueries(filters, options);
  }

  /** Like setQueryData, for what a write has brought: a read that was sent before it would bring back what was. */
  setWritten<K extends QueryKey>(queryKey: K, updater: Updater<Known<K>, Known<K>>): Known<K> {
    void this.cancelQueries({ queryKey, exact: true });
    return this.setQueryData<unknown, K, InferDataFromTag<unknown, K>>(queryKey, updater);
  }
}

/** S9.15. Polls pause while the tab is hidden (the library's default for `refetchInterval`). */
export const queryClient = new FreshQueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, staleTime: Infinity, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

const isOfNewRows = ({ state }: Query): boolean =>
  state.fetchMeta !== null || state.dataUpdateCount + state.errorUpdateCount === 0;
newRows.areComing = () => queryClient.isFetching({ predicate: isOfNewRows }) > 0;

/** Runs a read; a failure gets the message of S8.2 and keeps what happened as its cause (an ApiError). */
async function read<T>(failure: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new Error(failure, { cause });
  }
}

export interface WithdrawalPage extends ListPage<Withdrawal> {
  paused: boolean;
  prepaid: { snaps: number; digest: string } | null;
}

/** Reads of own data rest once the session has ended: all they could bring is one more 401. */
const own = () => ({ meta: { isOwn: true }, enabled: session.get().status !== 'ended' });

const FRESH_MS = 2_000;
/** For what nothing polls: read again by each component that comes, unless it has just come with the page. */
const unlessFresh = ({ state }: { state: { isInvalidated: boolean; dataUpdatedAt: number } }): false | 'always' =>
  !state.isInvalidated && Date.now() - state.dataUpdatedAt < FRESH_MS ? false : 'always';

let firstRows: PageData['leaderboard'];
let dealt: Project | undefined;
/** The card of the page's address, which the server has dealt first. */
export const firstDealt = (): Project | undefined => dealt;
export const firstListed = (): typeof firstRows => firstRows;

export interface FeedPage {
  projects: Project[];
  limit: number;
}

/** Grows as cards are skipped or voted on faster than new ones come, up to what the server sends in one call (R11). */
let feedLimit = FEED_FIRST_CARDS;
export function growFeed(): void {
  feedLimit = Math.min(FEED_LIMIT, feedLimit + FEED_FIRST_CARDS);
}

async function readFeed(userId: number, signal: AbortSignal): Promise<FeedPage> {
  const limit = feedLimit;
  return { projects: await api.listProjects({ query: { userId, limit }, signal }), limit };
}

export interface NoticePage extends ListPage<Notice> {
  unread: number;
}

export async function readNoticePage(userId: number, query: PageCall, signal?: AbortSignal): Promise<NoticePage> {
  const { body, ...place } = await fetchPage('listNotices', { params: { id: userId }, query, signal });
  return { rows: body.notices, unread: body.unread, ...place };
}

const DAY_MS = 86_400_000;
const untilNextDay = (): number => DAY_MS - (serverNow() % DAY_MS) + 5_000;

/** Keys of all reads: the path, then what it depends on. Invalidate by a query's `queryKey`, or a whole subject by its first word. */
export const queries = {
  previewProjects: () =>
    queryOptions({
      queryKey: ['/api/projects', 'preview'],
      queryFn: ({ signal }) => read('Failed to fetch preview projects', () => api.listProjects({ signal })),
    }),
  feed: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/projects', 'feed', userId],
      queryFn: ({ signal }) => read('Failed to fetch projects', () => readFeed(userId, signal)),
    }),
  project: (ref: string | number) =>
    queryOptions({
      queryKey: ['/api/projects', 'one', String(ref)],
      queryFn: ({ signal }) => read('Failed to fetch project', () => api.getProject({ params: { id: ref }, signal })),
      refetchOnMount: unlessFresh,
    }),
  versions: (projectId: number): ListSource<ListingVersion> => ({
    queryKey: ['/api/projects', 'versions', projectId],
    load: (query, signal) =>
      read('Failed to fetch the versions', () =>
        fetchRows('listVersions', { params: { id: String(projectId) }, query, signal }),
      ),
  }),
  reviews: (projectId: number) =>
    queryOptions({
      queryKey: ['/api/reviews', projectId],
      queryFn: ({ signal }) => queries.reviewPages(projectId).load({}, signal),
      refetchInterval: POLL_REVIEWS_MS,
    }),
  reviewPages: (projectId: number): ListSource<Review> => ({
    queryKey: ['/api/reviews', projectId, 'pages'],
    load: (query, signal) =>
      read('Failed to fetch reviews', () => fetchRows('listReviews', { params: { id: projectId }, query, signal })),
  }),
  topProjects: () =>
    queryOptions({
      queryKey: ['/api/projects/leaderboard/all', 'top'],
      queryFn: ({ signal }) =>
        read('Failed to fetch top projects', () =>
          api.projectLeaderboard({ query: { limit: SIDEBAR_TOP_PROJECTS }, signal }),
        ),
      refetchInterval: POLL_TOP_PROJECTS_MS,
    }),
  walletProjects: (address: string): ListSource<OwnProject> => ({
    queryKey: ['/api/projects/wallet', address],
    load: (query, signal) =>
      read('Failed to fetch projects', () => fetchRows('listWalletProjects', { params: { address }, query, signal })),
  }),
  user: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/users', userId],
      queryFn: ({ signal }) => read('Failed to fetch user', () => api.getUser({ params: { id: userId }, signal })),
    }),
  stats: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/users/stats', userId],
      queryFn: ({ signal }) =>
        read('Failed to fetch user stats', () => api.getStats({ params: { id: userId }, signal })),
      refetchInterval: POLL_STATS_MS,
    }),
  votingStatus: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/voting-status', userId],
      queryFn: ({ signal }) =>
        read('Failed to fetch voting status', () => api.getVotingStatus({ params: { id: userId }, signal })),
      refetchInterval: POLL_VOTING_STATUS_MS,
    }),
  dailyDeck: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/users/daily-deck', userId],
      queryFn: ({ signal }) =>
        read("Failed to fetch today's deck", () => api.getDailyDeck({ params: { id: userId }, signal })),
      refetchInterval: untilNextDay,
    }),
  ownVote: (userId: number, projectId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/own-vote', userId, projectId],
      queryFn: ({ signal }) =>
        read('Failed to fetch your vote', () => api.getOwnVote({ params: { id: projectId }, signal })),
      refetchOnMount: unlessFresh,
    }),
  voterLeaderboard: (userId?: number) =>
    queryOptions({
      ...(userId === undefined ? {} : own()),
      queryKey: ['/api/leaderboard', userId ?? null],
      queryFn: ({ signal }) =>
        read('Failed to fetch leaderboard', () => api.getLeaderboard({ query: { userId }, signal })),
      refetchInterval: POLL_LEADERBOARD_MS,
    }),
  votes: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/users/votes', userId],
      queryFn: ({ signal }) =>
        read('Failed to fetch voting history', () => api.listVotes({ params: { id: userId }, signal })),
    }),
  votePages: (userId: number): ListSource<VoteHistoryItem> => ({
    queryKey: ['/api/users/votes', userId, 'pages'],
    load: (query, signal) =>
      read('Failed to fetch voting history', () => fetchRows('listVotes', { params: { id: userId }, query, signal })),
  }),
  standing: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/users/standing', userId],
      queryFn: ({ signal }) =>
        read('Failed to check whether your votes are verified', () =>
          api.getStanding({ params: { id: userId }, signal }),
        ),
    }),
  activity: (userId: number): ListSource<Activity> => ({
    queryKey: ['/api/users/activity', userId],
    load: (query, signal) =>
      read('Failed to fetch activity', () => fetchRows('listActivity', { params: { id: userId }, query, signal })),
  }),
  notices: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/users/notices', userId],
      queryFn: ({ signal }) => read('Failed to fetch notifications', () => readNoticePage(userId, {}, signal)),
      refetchInterval: POLL_NOTICES_MS,
      refetchOnWindowFocus: 'always',
    }),
  payments: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/payments', userId],
      queryFn: ({ signal }) =>
        read('Failed to fetch payments', () => fetchAllRows((query) => fetchRows('listPayments', { query, signal }))),
    }),
  insights: (ref: string) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/projects', 'insights', ref],
      queryFn: ({ signal }) => read('Failed to fetch insights', () => api.getInsights({ params: { id: ref }, signal })),
      refetchInterval: POLL_LEADERBOARD_MS,
    }),
  supply: () =>
    queryOptions({
      queryKey: ['/api/supply'],
      queryFn: ({ signal }) => read('Failed to fetch supply', () => api.getSupply({ signal })),
      refetchInterval: POLL_LEADERBOARD_MS,
    }),
  trust: () =>
    queryOptions({
      queryKey: ['/api/trust'],
      queryFn: ({ signal }) => read('Failed to fetch the figures', () => api.getTrust({ signal })),
      refetchInterval: POLL_LEADERBOARD_MS,
    }),
  reach: () =>
    queryOptions({
      queryKey: ['/api/trust/reach'],
      queryFn: ({ signal }) => read('Failed to fetch the figures', () => api.getReach({ signal })),
    }),
  record: () =>
    queryOptions({
      queryKey: ['/api/record'],
      queryFn: ({ signal }) => read('Failed to fetch the record', () => api.getRecord({ signal })),
      refetchInterval: POLL_LEADERBOARD_MS,
    }),
  sessions: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/auth/sessions', userId],
      queryFn: ({ signal }) => read('Failed to fetch sessions', () => api.listSessions({ signal })),
    }),
  withdrawalTerms: (userId: number) =>
    queryOptions({
      ...own(),
      queryKey: ['/api/withdrawals', userId, 'terms'],
      queryFn: ({ signal }) => read('Failed to fetch the terms', () => api.getWithdrawalTerms({ signal })),
      refetchOnMount: 'always',
    }),
  withdrawals: (userId: number): ListSource<Withdrawal, WithdrawalPage> => ({
    queryKey: ['/api/withdrawals', userId],
    load: (query, signal) =>
      read('Failed to fetch withdrawals', async () => {
        const { body, ...place } = await fetchPage('listWithdrawals', { query, signal });
        return { rows: body.withdrawals, paused: body.paused, prepaid: body.prepaid, ...place };
      }),
  }),
};

export function primeQueries({ project, ownVote, leaderboard, session, home, portfolio, trust }: PageData): void {
  firstRows = leaderboard;
  dealt = home?.dealt;
  if (session) queryClient.setQueryData(queries.stats(session.user.id).queryKey, session.stats);
  if (session && home) {
    const { id } = session.user;
    queryClient.setQueryData(queries.feed(id).queryKey, { projects: home.feed, limit: FEED_FIRST_CARDS });
    queryClient.setQueryData(queries.votingStatus(id).queryKey, home.votingStatus);
    if (home.daily) queryClient.setQueryData(queries.dailyDeck(id).queryKey, home.daily);
  }
  if (session && portfolio) {
    const { id } = session.user;
    const inPages = <T>(page: T) => ({ pages: [page], pageParams: [undefined] });
    queryClient.setQueryData(queries.standing(id).queryKey, portfolio.standing);
    queryClient.setQueryData(queries.withdrawals(id).queryKey, inPages(portfolio.withdrawals));
    queryClient.setQueryData(queries.activity(id).queryKey, inPages(portfolio.activity));
  }
  if (trust) {
    queryClient.setQueryData(queries.trust().queryKey, trust.figures);
    queryClient.setQueryData(queries.record().queryKey, trust.record);
  }
  if (!project) return;
  queryClient.setQueryData(queries.project(project.slug).queryKey, project);
  if (session && ownVote) queryClient.setQueryData(queries.ownVote(session.user.id, project.id).queryKey, ownVote);
}

primeQueries((readPageJson('page-data') as PageData | null) ?? {});

const OWN_LISTS = new Set<unknown>([
  '/api/users/activity',
  '/api/users/votes',
  '/api/withdrawals',
  '/api/projects/wallet',
]);

/** Clears what belongs to a session. Polls of the hidden page end now: each would be one more 401. */
function dropOwn(): void {
  const predicate = ({ meta, queryKey }: Query) => meta?.isOwn === true || OWN_LISTS.has(queryKey[0]);
  for (const { observers } of queryClient.getQueryCache().findAll({ predicate }))
    for (const observer of observers.slice()) observer.setOptions({ ...observer.options, enabled: false });
  queryClient.removeQueries({ predicate });
}

function followSession(): void {
  let { status } = session.get();
  let person = session.person();
  session.subscribe(() => {
    const before = status;
    status = session.get().status;
    if (session.person() !== person || status === 'none') {
      person = session.person();
      feedLimit = FEED_FIRST_CARDS;
      dropOwn();
    }
    if (before === 'ended' && status !== 'ended' && status !== 'none') void queryClient.invalidateQueries();
  });
}
followSession();

export async function refreshAfterVote(userId: number): Promise<void> {
  const keys = [
    queries.feed(userId).queryKey,
    queries.topProjects().queryKey,
    ['/api/v1/projects'],
    ['/api/leaderboard'],
    queries.votingStatus(userId).queryKey,
    queries.stats(userId).queryKey,
    queries.votes(userId).queryKey,
    ['/api/projects', 'one'],
  ];
  const refreshed: Array<Promise<void>> = [];
  // One a frame: together they are a gap of several on a slow phone.
  for (const queryKey of keys) {
    refreshed.push(queryClient.invalidateQueries({ queryKey }));
    await nextFrame();
  }
  await Promise.all(refreshed);
}
