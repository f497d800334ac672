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
import type { Notice } from '#shared/contract/notices.ts';
import type { Project } from '#shared/contract/types.ts';
import type { PageData } from '#shared/site/first-paint.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { api, type Endpoints, type Name } from './api.ts';
import {
  fetchAllRows,
  fetchPage,
  fetchRows,
  type ListPage,
  type ListSource,
  type PageCall,
  type RowsName,
} from './fetch-page.ts';
import { type Call, type LooseCall, request, type ResponseBody } from './http.ts';
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

interface ReadSettings {
  meta?: { isOwn: true; userId: number };
  enabled?: boolean;
  refetchInterval?: number | false | (() => number);
  refetchOnMount?: 'always' | typeof unlessFresh;
  refetchOnWindowFocus?: 'always';
}

/** A failure gets the message of S8.2 and keeps what happened as its cause (an ApiError). */
async function attempt<T>(act: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new Error(`Failed to ${act}`, { cause });
  }
}

const readBy = <T, M extends ReadSettings>(
  queryKey: readonly unknown[],
  act: string,
  load: (signal: AbortSignal) => Promise<T>,
  settings: M = {} as M,
) => Object.assign(queryOptions({ queryKey, queryFn: ({ signal }) => attempt(act, () => load(signal)) }), settings);

const valuesOf = ({ params, query }: LooseCall): unknown[] => Object.values({ ...params, ...query });

/** A read of the page: its endpoint, the act that its failure names, and its call. Its key is the endpoint and what the response depends on. */
function read<K extends Name, M extends ReadSettings>(
  name: K,
  act: string,
  call: Call<Endpoints[K]>,
  settings: M = {} as M,
) {
  const sent: LooseCall = call;
  const { meta } = settings;
  return readBy(
    [name, ...(meta ? [meta.userId] : []), ...valuesOf(sent)],
    act,
    (signal) => request<ResponseBody<Endpoints[K]>>(ENDPOINTS[name], { ...sent, signal }),
    settings,
  );
}

/** Like `read`, for a list that is read page by page. */
function list<K extends RowsName>(
  name: K,
  act: string,
  call: Call<Endpoints[K]>,
): ListSource<ResponseBody<Endpoints[K]>[number]> {
  const sent: LooseCall = call;
  return {
    queryKey: [name, ...valuesOf(sent), 'pages'],
    load: (query, signal) => attempt(act, () => fetchRows(name, { ...sent, query, signal } as Call<Endpoints[K]>)),
  };
}

export interface WithdrawalPage extends ListPage<Withdrawal> {
  paused: boolean;
  prepaid: { snaps: number; digest: string } | null;
}

/** Reads of own data rest once the session has ended: all they could bring is one more 401. */
const own = (userId: number, refetchInterval: number | false | (() => number) = false) => ({
  meta: { isOwn: true as const, userId },
  enabled: session.get().status !== 'ended',
  refetchInterval,
});
const ALWAYS = { refetchOnMount: 'always' } as const;

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

const byId = <T>(id: T) => ({ params: { id } });

/** Invalidate one read by its `queryKey`, or all of an endpoint by its name alone. */
export const queries = {
  previewProjects: () => read('listProjects', 'fetch preview projects', {}),
  feed: (userId: number) =>
    readBy(['listProjects', userId], 'fetch projects', (signal) => readFeed(userId, signal), own(userId)),
  project: (ref: string | number) =>
    read('getProject', 'fetch project', byId(String(ref)), { refetchOnMount: unlessFresh }),
  trend: (projectId: number) => read('getProjectTrend', 'fetch the trend', byId(projectId), ALWAYS),
  similar: (projectId: number) => read('listSimilar', 'fetch similar projects', byId(projectId)),
  versions: (projectId: number) => list('listVersions', 'fetch the versions', byId(projectId)),
  reviews: (projectId: number) =>
    readBy(
      ['listReviews', projectId],
      'fetch reviews',
      (signal) => fetchRows('listReviews', { ...byId(projectId), signal }),
      { refetchInterval: POLL_REVIEWS_MS },
    ),
  reviewPages: (projectId: number) => list('listReviews', 'fetch reviews', byId(projectId)),
  topProjects: () =>
    read(
      'projectLeaderboard',
      'fetch top projects',
      { query: { limit: SIDEBAR_TOP_PROJECTS } },
      { refetchInterval: POLL_TOP_PROJECTS_MS },
    ),
  walletProjects: (address: string) => list('listWalletProjects', 'fetch projects', { params: { address } }),
  user: (userId: number) => read('getUser', 'fetch user', byId(userId), { ...own(userId), ...ALWAYS }),
  stats: (userId: number) => read('getStats', 'fetch user stats', byId(userId), own(userId, POLL_STATS_MS)),
  votingStatus: (userId: number) =>
    read('getVotingStatus', 'fetch voting status', byId(userId), own(userId, POLL_VOTING_STATUS_MS)),
  dailyDeck: (userId: number) => read('getDailyDeck', "fetch today's deck", byId(userId), own(userId, untilNextDay)),
  ownVote: (userId: number, projectId: number) =>
    read('getOwnVote', 'fetch your vote', byId(projectId), { ...own(userId), refetchOnMount: unlessFresh }),
  directions: (userId: number) => read('getDirections', 'fetch your votes', {}, { ...own(userId), ...ALWAYS }),
  voterLeaderboard: (userId?: number) =>
    read(
      'getLeaderboard',
      'fetch leaderboard',
      { query: { userId } },
      { ...(userId === undefined ? {} : own(userId)), refetchInterval: POLL_LEADERBOARD_MS },
    ),
  votes: (userId: number) => read('listVotes', 'fetch voting history', byId(userId), { ...own(userId), ...ALWAYS }),
  votePages: (userId: number) => list('listVotes', 'fetch voting history', byId(userId)),
  calls: (userId: number) => read('getCalls', 'fetch your calls', byId(userId), { ...own(userId), ...ALWAYS }),
  standing: (userId: number) => read('getStanding', 'check whether your votes are verified', byId(userId), own(userId)),
  activity: (userId: number) => list('listActivity', 'fetch activity', byId(userId)),
  notices: (userId: number) =>
    readBy(['listNotices', userId], 'fetch notifications', (signal) => readNoticePage(userId, {}, signal), {
      ...own(userId, POLL_NOTICES_MS),
      refetchOnWindowFocus: 'always',
    }),
  payments: (userId: number) =>
    readBy(
      ['listPayments', userId],
      'fetch payments',
      (signal) => fetchAllRows((query) => fetchRows('listPayments', { query, signal })),
      own(userId),
    ),
  insights: (userId: number, ref: string) =>
    read('getInsights', 'fetch insights', byId(ref), own(userId, POLL_LEADERBOARD_MS)),
  supply: () => read('getSupply', 'fetch supply', {}, { refetchInterval: POLL_LEADERBOARD_MS, ...ALWAYS }),
  trust: () => read('getTrust', 'fetch the figures', {}, { refetchInterval: POLL_LEADERBOARD_MS }),
  reach: () => read('getReach', 'fetch the figures', {}),
  record: () => read('getRecord', 'fetch the record', {}, { refetchInterval: POLL_LEADERBOARD_MS }),
  sessions: (userId: number) => read('listSessions', 'fetch sessions', {}, { ...own(userId), ...ALWAYS }),
  withdrawalTerms: (userId: number) => read('getWithdrawalTerms', 'fetch the terms', {}, { ...own(userId), ...ALWAYS }),
  withdrawals: (userId: number): ListSource<Withdrawal, WithdrawalPage> => ({
    queryKey: ['listWithdrawals', userId],
    load: (query, signal) =>
      attempt('fetch withdrawals', async () => {
        const { body, ...place } = await fetchPage('listWithdrawals', { query, signal });
        return { rows: body.withdrawals, paused: body.paused, prepaid: body.prepaid, ...place };
      }),
  }),
};

/** Reads that a change of a project may change; a key of an endpoint alone stands for all its reads. */
export const PROJECT_READS = [
  ['listProjects'],
  ['getProject'],
  ['getProjectTrend'],
  ['listSimilar'],
  ['listVersions'],
  ['getInsights'],
];

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

const OWN_LISTS = new Set<unknown>(['listActivity', 'listVotes', 'listWithdrawals', 'listWalletProjects']);

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
    ['searchProjects'],
    ['getLeaderboard'],
    queries.votingStatus(userId).queryKey,
    queries.stats(userId).queryKey,
    ['listVotes', userId],
    queries.calls(userId).queryKey,
    ['getProject'],
  ];
  const refreshed: Array<Promise<void>> = [];
  // One a frame: together they are a gap of several on a slow phone.
  for (const queryKey of keys) {
    refreshed.push(queryClient.invalidateQueries({ queryKey }));
    await nextFrame();
  }
  await Promise.all(refreshed);
}
