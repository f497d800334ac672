import { normalizeAddress } from '#chain/address.ts';
import { projects } from '#shared/contract/index.ts';
import { SIDEBAR_TOP_PROJECTS } from '#shared/constants.ts';
import { mayCall } from '#shared/roles.ts';
import { TOTAL_COUNT_HEADER } from '#shared/pages.ts';
import { toCachedResponse, sendCached, sendPersonal } from '../cache/responses.ts';
import { badRequest, forbidden, notFound, unauthorized } from '../http/errors.ts';
import { pageHeaders, sendPage } from '../http/pages.ts';
import { READ_COST } from '../http/read-budget.ts';
import { checkResponse } from '../http/check-response.ts';
import { implement, implementCached } from '../http/declare.ts';
import { firstActive, laterActive } from './active.ts';
import { findProject, listOwned } from './queries.ts';
import { rankedOnce } from './ranked.ts';
import { loadProjectPage } from './verified-order.ts';

export const projectRoutes = [
  implementCached(
    projects.listProjects,
    {
      // At most 50 first pages are cached; any other is cut out of one list.
      key: ({ query: { userId, cursor, limit } }) =>
        userId === undefined && cursor === undefined ? `preview:${limit}` : null,
      tags: () => ['p', 'c'],
      load: async ({ services, query }) => {
        const { page, expiresAtMs } = await firstActive(services, query.limit);
        return { value: page.rows, headers: pageHeaders(page), expiresAtMs };
      },
    },
    async ({ services, session, query, request, reply }) => {
      if (query.userId === undefined) {
        request.server.readBudget.charge(request, session?.userId ?? null, READ_COST.list);
        const page = await laterActive(services, query);
        return sendCached(request, reply, toCachedResponse(page.rows, pageHeaders(page)));
      }
      if (query.cursor !== undefined) throw badRequest('invalid_cursor', 'The feed of a user has no pages');
      if (!session) throw unauthorized('not_signed_in', 'User not logged in');
      const feed = await services.feed.read(session.userId, query.limit);
      if (services.config.env === 'test') checkResponse(projects.listProjects, JSON.parse(feed.json.toString()));
      return sendPersonal(request, reply.header(TOTAL_COUNT_HEADER, feed.total), feed);
    },
  ),

  implement(projects.getProject, async ({ services, session, params }) => {
    const row = await findProject(services.replica, params.id);
    // Only its owner and those who may hide it see a hidden project.
    const mayHide = session?.role ? mayCall(session.role, 'moderateProject') : false;
    const maySee = row && (!row.hiddenAt || mayHide || session?.walletAddress === row.submittedBy);
    if (!maySee) throw notFound('project_not_found', 'Project not found');
    return loadProjectPage(services, row);
  }),

  implement(projects.listWalletProjects, async ({ services, session, params, query, reply }) => {
    if (normalizeAddress(params.address) !== session.walletAddress)
      throw forbidden('not_yours', 'These are the projects of another wallet');
    return sendPage(reply, await listOwned(services.db, session.userId, query));
  }),

  implementCached(projects.projectLeaderboard, {
    // Of all possible limits, only those of our pages are cached.
    key: ({ query: { limit } }) =>
      limit === undefined || limit === SIDEBAR_TOP_PROJECTS ? `ranked:${limit ?? ''}` : null,
    tags: () => ['p', 'c'],
    load: async ({ services, query }) => {
      const { rows, expiresAtMs } = await rankedOnce(services);
      return { value: rows.slice(0, query.limit), expiresAtMs };
    },
  }),
];
