import { normalizeAddress } from '#chain/address.ts';
import { projects } from '#shared/contract/index.ts';
import type { FastifyReply } from 'fastify';
import { TOTAL_HEADER, sendPersonal } from '../cache/answers.ts';
import { forbidden, notFound, unauthorized } from '../errors.ts';
import { describeProject, pending, place, type Placed } from '../payments/actions.ts';
import { checkAnswer, implement, implementHeld } from '../route.ts';
import type { Services } from '../services.ts';
import { findProject, listActive, listOwned, listRanked, toProjectPage } from './queries.ts';

/** When the first of these listings ends: a list of them is not true for longer. */
const firstEnd = (rows: Array<{ expiresAt: string }>): number =>
  rows.reduce((first, { expiresAt }) => Math.min(first, Date.parse(expiresAt)), Number.POSITIVE_INFINITY);

/** The project, or 202 while the chain has not confirmed its payment (R17). */
async function answerPlaced(services: Services, placed: Placed, reply: FastifyReply) {
  if ('projectId' in placed) return describeProject(services, placed.projectId);
  reply.code(202);
  return pending(placed.phase);
}

export const projectRoutes = [
  implementHeld(
    projects.listProjects,
    {
      key: ({ query }) => (query.userId === undefined ? `preview:${query.limit ?? ''}` : null),
      topics: () => ['p', 'c'],
      load: async ({ services, query }) => {
        const value = await listActive(services.replica, query.limit);
        return { value, expiresAtMs: firstEnd(value) };
      },
    },
    async ({ services, session, query, request, reply }) => {
      if (!session) throw unauthorized('not_signed_in', 'User not logged in');
      const feed = await services.feed.read(session.userId, query.limit);
      if (services.config.env === 'test') checkAnswer(projects.listProjects, JSON.parse(feed.json.toString()));
      return sendPersonal(request, reply.header(TOTAL_HEADER, feed.total), feed);
    },
  ),

  implement(projects.getProject, async ({ services, session, params }) => {
    const row = await findProject(services.db, params.id);
    // A hidden project is there for its owner and the admin only.
    const maySee = row && (!row.hiddenAt || session?.isAdmin || session?.walletAddress === row.submittedBy);
    if (!maySee) throw notFound('project_not_found', 'Project not found');
    return toProjectPage(row);
  }),

  implement(projects.listWalletProjects, async ({ services, session, params }) => {
    if (normalizeAddress(params.address) !== session.walletAddress)
      throw forbidden('not_yours', 'These are the projects of another wallet');
    return listOwned(services.db, session.userId);
  }),

  implement(projects.createProject, async ({ services, session, body, reply }) => {
    const { submittedBy: _, transactionHash, ...draft } = body;
    return answerPlaced(services, await place(services, session, { purpose: 'submit', draft }, transactionHash), reply);
  }),

  implement(projects.updateProject, async ({ services, session, params, body, reply }) => {
    const { walletAddress: _, transactionHash, ...draft } = body;
    const input = { purpose: 'update' as const, ref: params.id, draft };
    return answerPlaced(services, await place(services, session, input, transactionHash), reply);
  }),

  implement(projects.renewProject, async ({ services, session, params, body, reply }) => {
    const input = { purpose: 'renew' as const, ref: params.id };
    return answerPlaced(services, await place(services, session, input, body.transactionHash), reply);
  }),

  implementHeld(projects.projectLeaderboard, {
    key: ({ query }) => `ranked:${query.limit ?? ''}`,
    topics: () => ['p', 'c'],
    load: async ({ services, query }) => {
      const value = await listRanked(services.replica, query.limit);
      return { value, expiresAtMs: firstEnd(value.filter(({ expired }) => !expired)) };
    },
  }),
];
