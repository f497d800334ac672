import { normalizeAddress } from '#chain/address.ts';
import { projects } from '#shared/contract/index.ts';
import { bullishPercentage } from '#shared/rules.ts';
import type { FastifyReply } from 'fastify';
import { forbidden, notFound, unauthorized } from '../errors.ts';
import { describeProject, PENDING_MESSAGE, place, type Placed } from '../payments/actions.ts';
import { implement } from '../route.ts';
import type { Services } from '../services.ts';
import { findProject, listActive, listFeed, listOwned, listRanked, toProject } from './queries.ts';

/** The project, or 202 while the chain has not confirmed its payment (R17). */
async function answerPlaced(services: Services, placed: Placed, reply: FastifyReply) {
  if (placed !== 'pending') return describeProject(services, placed.projectId);
  reply.code(202);
  return { status: 'pending' as const, message: PENDING_MESSAGE };
}

export const projectRoutes = [
  implement(projects.listProjects, async ({ services, session, query, reply }) => {
    if (query.userId === undefined) return listActive(services.db);
    if (!session) throw unauthorized('not_signed_in', 'User not logged in');
    const feed = await listFeed(services.db, session.userId);
    reply.header('X-Total-Count', feed.total);
    return feed.projects;
  }),

  implement(projects.getProject, async ({ services, session, params }) => {
    const row = await findProject(services.db, params.id);
    // A hidden project is there for its owner and the admin only.
    const maySee = row && (!row.hiddenAt || session?.isAdmin || session?.walletAddress === row.submittedBy);
    if (!maySee) throw notFound('project_not_found', 'Project not found');
    return {
      ...toProject(row),
      bullishPercentage: bullishPercentage(row.bullish, row.bearish),
      hidden: row.hiddenAt !== null,
    };
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

  implement(projects.projectLeaderboard, async ({ services, query }) => listRanked(services.db, query.limit)),
];
