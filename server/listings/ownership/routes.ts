import { claims, open, ownership } from '#shared/contract/index.ts';
import { actorOf } from '#server/books/audit.ts';
import { route } from '#server/kit/http/declare.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { findProject } from '../projects/queries.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { acceptOwnership, setCoin } from './moderate.ts';
import { proveOwnership } from './prove.ts';
import { findProof } from './store.ts';
import { answerClaim, decideClaim, listClaims } from './take-over.ts';

export const ownershipRoutes = [
  route(open.getOwnership, { cost: 'small' }, async ({ services: { replica }, params }) => {
    const row = await findProject(replica, params.id);
    if (!row || row.hiddenAt) throw notFound('project_not_found', 'Project not found');
    return { proof: await findProof(replica, row.id) };
  }),
  route(
    ownership.proveOwnership,
    { writes: ['projects:*', 'notices:own', 'verified', 'days', 'counts'] },
    ({ services, session, params }) => proveOwnership(services, session, params.id),
  ),
  route(claims.answerClaim, { writes: ['projects:*'] }, ({ services, session, params, body }) =>
    answerClaim(services, session, params.id, body.answer),
  ),
  route(claims.listClaims, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listClaims(services.db, query)),
  ),
  route(
    claims.decideClaim,
    { writes: ['projects:*', 'verified', 'days', 'counts'] },
    ({ services, session, request, params, body }) => decideClaim(services, actorOf(session, request), params.id, body),
  ),
  route(ownership.setCoin, { writes: ['projects:*'] }, ({ services, session, request, params, body }) =>
    setCoin(services, actorOf(session, request), params.id, body),
  ),
  route(ownership.acceptOwnership, { writes: ['projects:*'] }, ({ services, session, request, params, body }) =>
    acceptOwnership(services, actorOf(session, request), params.id, body.reason),
  ),
];
