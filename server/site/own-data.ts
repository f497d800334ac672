import type { FastifyRequest } from 'fastify';
import { FEED_FIRST_CARDS } from '#shared/constants.ts';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import type { Project } from '#shared/contract/types.ts';
import type { PageData } from '#shared/first-paint.ts';
import { describeSession } from '../auth/actions.ts';
import { readDailyDeck } from '../daily-deck/actions.ts';
import type { Services } from '../services.ts';
import { readToken, getSession } from '../http/session.ts';
import { findVotingStatus } from '../users/queries.ts';
import { findOwnVote } from '../votes/own-vote.ts';

/** The part of a page's first data that only the visitor may see. */
type OwnData = Pick<PageData, 'session' | 'home' | 'ownVote'>;

/** Whether a page may contain one user's data: it is then never stored. */
export const hasSessionCookie = (request: FastifyRequest): boolean => readToken(request) !== null;

/** Null where it could not be read: the page is drawn without it and requests it again. */
async function readDaily(services: Services, userId: number): Promise<DailyDeck | null> {
  try {
    return await readDailyDeck(services, userId);
  } catch (error) {
    services.log.error({ err: error, userId }, "the day's deck could not be read");
    return null;
  }
}

async function readHome(services: Services, userId: number): Promise<PageData['home']> {
  const [feed, votingStatus, daily] = await Promise.all([
    services.feed.read(userId, FEED_FIRST_CARDS),
    findVotingStatus(services.db, userId),
    readDaily(services, userId),
  ]);
  return { feed: JSON.parse(feed.json.toString()) as Project[], votingStatus, ...(daily ? { daily } : {}) };
}

/** Which page it is. */
interface Place {
  path: string;
  /** On a project's page. */
  projectId?: number | undefined;
}

async function read(services: Services, request: FastifyRequest, { path, projectId }: Place): Promise<OwnData | null> {
  const session = await getSession(services, request);
  if (!session) return null;
  const { userId } = session;
  const [described, home, ownVote] = await Promise.all([
    describeSession(services, userId),
    path === '/' ? readHome(services, userId) : undefined,
    projectId === undefined ? undefined : findOwnVote(services, userId, String(projectId)),
  ]);
  return { session: described, ...(home ? { home } : {}), ...(ownVote ? { ownVote } : {}) };
}

/**
 * The session of the request's cookie with the first data of its page: empty without a cookie, null where the browser
 * has to find out because the cookie has no session or the database does not respond.
 */
export async function readOwnData(services: Services, request: FastifyRequest, place: Place): Promise<OwnData | null> {
  if (!hasSessionCookie(request)) return {};
  try {
    return await read(services, request, place);
  } catch (error) {
    services.log.error({ err: error, path: place.path }, 'the first data of a session could not be read');
    return null;
  }
}
