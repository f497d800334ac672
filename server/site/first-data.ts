import type { FastifyRequest } from 'fastify';
import { FEED_FIRST_CARDS, LEADERBOARD_FIRST_ROWS } from '#shared/constants.ts';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import type { Project } from '#shared/contract/types.ts';
import type { PageData } from '#shared/site/first-paint.ts';
import type { FirstData, ScreenName } from '#shared/site/screens.ts';
import { sortOf } from '#shared/listings/sort-names.ts';
import { listActivity } from '#server/people/activity/queries.ts';
import { describeSession } from '#server/people/auth/actions.ts';
import type { Tag } from '#server/kit/cache/tags.ts';
import { readDailyDeck } from '#server/voting/daily-deck/actions.ts';
import { guestCards } from '#server/listings/projects/active.ts';
import { findProject, type FoundProject, toProject } from '#server/listings/projects/queries.ts';
import { loadProjectPage } from '#server/listings/projects/verified-order.ts';
import { summarizeRecord } from '../record/summary.ts';
import { listProjects } from '#server/listings/search/list.ts';
import type { Services } from '#server/kit/services.ts';
import { findStanding, loadTrust } from '#server/figures/standing/queries.ts';
import { readToken, getSession } from '#server/kit/http/session.ts';
import { findVotingStatus } from '#server/people/users/queries.ts';
import { findOwnVote } from '#server/voting/votes/own-vote.ts';
import { isPaused, listOwn } from '#server/money/withdrawals/queries.ts';

/** A page that may contain one user's data is never stored. */
export const hasSessionCookie = (request: FastifyRequest): boolean => readToken(request) !== null;

async function readDaily(services: Services, userId: number): Promise<DailyDeck | null> {
  try {
    return await readDailyDeck(services, userId);
  } catch (error) {
    services.log.error({ err: error, userId }, "the day's deck could not be read");
    return null;
  }
}

/** The project of `/?card=<slug>`, whose card is dealt first (R48); null for any other address. */
export function cardOf(url: string): string | null {
  const [path, query = ''] = url.split('?');
  const card = path === '/' ? (new URLSearchParams(query).get('card') ?? '') : '';
  return /^[a-z0-9-]{1,80}$/i.test(card) ? card.toLowerCase() : null;
}

/** Null if the user cannot vote on it; the page then says why. */
async function findDealt(services: Services, userId: number, card: string | null): Promise<Project | null> {
  const project = card === null ? null : await findProject(services.db, card);
  if (!project) return null;
  const { canVote } = await findOwnVote(services, userId, project.id);
  return canVote === 'yes' ? toProject(project) : null;
}

async function readHome(services: Services, userId: number, _shown: PageData, url: string): Promise<PageData> {
  const [feed, votingStatus, daily, dealt] = await Promise.all([
    services.feed.read(userId, FEED_FIRST_CARDS),
    findVotingStatus(services.db, userId),
    readDaily(services, userId),
    findDealt(services, userId, cardOf(url)),
  ]);
  const cards = JSON.parse(feed.json.toString()) as Project[];
  const home = { feed: cards, votingStatus, ...(daily && { daily }), ...(dealt && { dealt }) };
  return { home };
}

async function readPortfolio(services: Services, userId: number): Promise<PageData> {
  const { db } = services;
  const [standing, own, paused, activity] = await Promise.all([
    findStanding(services, userId),
    listOwn(db, userId, { limit: LIST_FIRST_ROWS }),
    isPaused(db),
    listActivity(db, userId, { limit: LIST_FIRST_ROWS }),
  ]);
  return { portfolio: { standing, withdrawals: { ...own, paused }, activity } };
}

/** Lists that only the browser draws. */
const FILTERS = ['category', 'search'];

/** Rows of a list in the portfolio at first, and one more. */
const LIST_FIRST_ROWS = 6;

interface Reads {
  forAll?: (services: Services, query: string, project?: FoundProject) => Promise<PageData>;
  tags?: readonly Tag[];
  isForVisitors?: true;
  own?: (services: Services, userId: number, shown: PageData, url: string) => Promise<PageData>;
}

export const FIRST_DATA: Partial<Record<ScreenName, Reads>> = {
  home: {
    forAll: async (services) => ({ guestCards: (await guestCards(services)).cards }),
    tags: ['projects'],
    isForVisitors: true,
    own: readHome,
  },
  portfolio: { own: readPortfolio },
  project: {
    forAll: async (services, _query, project) => (project ? { project: await loadProjectPage(services, project) } : {}),
    own: async (services, userId, { project }) =>
      project ? { ownVote: await findOwnVote(services, userId, project.id) } : {},
  },
  leaderboard: {
    forAll: async (services, query) => {
      const asked = new URLSearchParams(query);
      if (FILTERS.some((name) => asked.has(name))) return {};
      const sort = sortOf(asked.get('sort'));
      const { page } = await listProjects(services, { sort, limit: LEADERBOARD_FIRST_ROWS });
      return { leaderboard: { sort, rows: page.rows } };
    },
    tags: ['projects', 'counts', 'days'],
  },
  trust: {
    forAll: async (services) => {
      const [figures, record] = await Promise.all([loadTrust(services), summarizeRecord(services)]);
      return { trust: { figures, record } };
    },
    tags: ['trust'],
  },
} satisfies Record<keyof FirstData, Reads>;

interface Shown {
  path: string;
  screen: ScreenName | null;
  data: PageData;
}

/**
 * The session of the request's cookie with the first data of its page: empty without a cookie, null if the browser has
 * to find out because the cookie has no session or the database does not respond.
 */
export async function readOwnData(
  services: Services,
  request: FastifyRequest,
  { path, screen, data }: Shown,
): Promise<PageData | null> {
  if (!hasSessionCookie(request)) return {};
  try {
    const session = await getSession(services, request);
    if (!session) return null;
    const { userId } = session;
    const [described, own] = await Promise.all([
      describeSession(services, userId),
      screen && FIRST_DATA[screen]?.own?.(services, userId, data, request.url),
    ]);
    return { session: described, ...own };
  } catch (error) {
    services.log.error({ err: error, path }, 'the first data of a session could not be read');
    return null;
  }
}
