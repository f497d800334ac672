import { admin, marks, reports, standing } from '#shared/contract/index.ts';
import { actorOf } from '#server/books/audit.ts';
import { route } from '#server/kit/http/declare.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { dismissReports } from '../reports/actions.ts';
import { listReports } from '../reports/queries.ts';
import { answerAppeal, listAppeals } from './appeals.ts';
import { listModeratedProjects, listModeratedReplies, listModeratedReviews, moderate } from './moderation.ts';
import { clearMark, listMarked } from './marks.ts';
import { listDecisions, listVotesOf, moderateVote } from './votes.ts';

export const moderationRoutes = [
  route(admin.listModeratedProjects, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listModeratedProjects(services.db, query)),
  ),
  route(admin.listModeratedReviews, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listModeratedReviews(services.db, query)),
  ),
  route(admin.moderateProject, { writes: ['projects:*'] }, ({ services, session, request, params, body }) =>
    moderate(services, actorOf(session, request), 'project', params.id, body),
  ),
  route(marks.listMarked, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listMarked(services.db, query)),
  ),
  route(marks.clearMark, { writes: ['projects:*'] }, ({ services, session, request, params }) =>
    clearMark(services, actorOf(session, request), params.id),
  ),
  route(admin.moderateReview, { writes: ['reviews:*'] }, ({ services, session, request, params, body }) =>
    moderate(services, actorOf(session, request), 'review', params.id, body),
  ),
  route(admin.listModeratedReplies, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listModeratedReplies(services.db, query)),
  ),
  route(admin.moderateReply, { writes: ['reviews:*'] }, ({ services, session, request, params, body }) =>
    moderate(services, actorOf(session, request), 'reply', params.id, body),
  ),
  route(reports.listReports, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listReports(services.db, query)),
  ),
  route(reports.dismissReports, { writes: [] }, ({ services, session, request, body }) =>
    dismissReports(services, actorOf(session, request), body),
  ),
  route(standing.listAppeals, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listAppeals(services.db, query.state, query)),
  ),
  route(standing.answerAppeal, { writes: [] }, ({ services, session, request, params, body }) =>
    answerAppeal(services, actorOf(session, request), params.id, body.answer),
  ),
  route(standing.listModeratedVotes, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(
      reply,
      query.voterId === undefined
        ? await listDecisions(services.db, query)
        : await listVotesOf(services.db, query.voterId, query),
    ),
  ),
  route(
    standing.moderateVote,
    { writes: ['verified', 'days', 'counts'] },
    ({ services, session, request, params, body }) =>
      moderateVote(services, actorOf(session, request), params.id, body),
  ),
];
