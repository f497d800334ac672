import { normalizeAddress } from '#chain/address.ts';
import { projects } from '#shared/contract/index.ts';
import type { Project } from '#shared/contract/types.ts';
import { SIDEBAR_TOP_PROJECTS } from '#shared/constants.ts';
import { mayCall } from '#shared/people/roles.ts';
import { TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import { badRequest, forbidden, notFound, unauthorized } from '#server/kit/http/errors.ts';
import { type Page, pageHeaders, sendPage } from '#server/kit/http/pages.ts';
import { route } from '#server/kit/http/declare.ts';
import { firstActive, guestCards, laterActive } from './active.ts';
import { findProject, listOwned } from './queries.ts';
import { rankedOnce } from './ranked.ts';
import { loadProjectPage } from './verified-order.ts';

const toLoaded = (page: Page<Project>) => ({ value: page.rows, headers: pageHeaders(page) });

export const projectRoutes = [
  route(
    projects.listProjects,
    {
      cache: {
        // At most 50 first pages; the others are cut out of one list.
        key: ({ query: { userId, cursor, limit } }) => {
          if (userId !== undefined) return null;
          return cursor === undefined ? `preview:${limit}` : { chosen: `preview:${limit}:${cursor}` };
        },
        reads: ['projects', 'counts', 'days'],
      },
      cost: ({ query }) => (query.userId === undefined ? 'list' : 'free'),
    },
    async ({ services, session, query }) => {
      if (query.userId === undefined) {
        const { page, expiresAtMs } = await (query.cursor === undefined
          ? firstActive(services, query.limit)
          : laterActive(services, query));
        return { ...toLoaded(page), expiresAtMs };
      }
      if (query.cursor !== undefined) throw badRequest('invalid_cursor', 'The feed of a user has no pages');
      if (!session) throw unauthorized('not_signed_in', 'User not logged in');
      const feed = await services.feed.read(session.userId, query.limit);
      return { prepared: feed, headers: { [TOTAL_COUNT_HEADER]: String(feed.total) } };
    },
  ),

  // Without 'counts': a vote need not change all visitors' cards. Totals are at most a minute old.
  route(projects.getGuestCards, { cache: { key: () => 'guest-cards', reads: ['projects'] } }, async ({ services }) => {
    const { cards, expiresAtMs } = await guestCards(services);
    return { value: { cards }, expiresAtMs };
  }),

  route(projects.getProject, { cost: 'list' }, async ({ services, session, params }) => {
    const row = await findProject(services.replica, params.id);
    const mayHide = session?.role ? mayCall(session.role, 'moderateProject') : false;
    const maySee = row && (!row.hiddenAt || mayHide || session?.walletAddress === row.submittedBy);
    if (!maySee) throw notFound('project_not_found', 'Project not found');
    return loadProjectPage(services, row);
  }),

  route(projects.listWalletProjects, { cost: 'list' }, async ({ services, session, params, query, reply }) => {
    if (normalizeAddress(params.address) !== session.walletAddress)
      throw forbidden('not_yours', 'These are the projects of another wallet');
    return sendPage(reply, await listOwned(services.db, session.userId, query));
  }),

  route(
    projects.projectLeaderboard,
    {
      cache: {
        key: ({ query: { limit } }) =>
          limit === undefined || limit === SIDEBAR_TOP_PROJECTS
            ? `ranked:${limit ?? ''}`
            : { chosen: `ranked:${limit}` },
        reads: ['projects', 'counts', 'days'],
      },
      cost: 'long',
    },
    async ({ services, query }) => {
      const { rows, expiresAtMs } = await rankedOnce(services);
      return { value: rows.slice(0, query.limit), expiresAtMs };
    },
  ),
];
