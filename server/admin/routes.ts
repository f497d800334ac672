import { admin, payoutHistory, people, reports, standing } from '#shared/contract/index.ts';
import { kinds } from '../cache/tags.ts';
import { sendPage } from '../http/pages.ts';
import { route } from '../http/declare.ts';
import { answerAppeal, listAppeals } from './appeals.ts';
import { actorOf, listAudit } from './audit.ts';
import { executeSql } from './console/execute.ts';
import { adminTokenOf } from './gate.ts';
import { login, logout } from './login.ts';
import {
  listModeratedProjects,
  listModeratedReplies,
  listModeratedReviews,
  moderateProject,
  moderateReply,
  moderateReview,
} from './moderation.ts';
import { grantRole, listPeople, renewPassword, revokeRole } from './people.ts';
import { dismissReports } from './reports.ts';
import { listReports } from '../reports/queries.ts';
import { execute } from './payouts/execute.ts';
import { confirmMissing, decideTransfers } from './payouts/history/decide.ts';
import { readPayouts } from './payouts/history/gate.ts';
import { listTransfers, readStatus } from './payouts/history/queries.ts';
import { cancel, prepare } from './payouts/prepare.ts';
import { listBatches, toBatch } from './payouts/queries.ts';
import { approve, listQueue, reject } from './queue.ts';
import { readSetting, writeSetting } from './settings.ts';
import { listDecisions, listVotesOf, moderateVote } from './votes.ts';

export const adminRoutes = [
  route(admin.adminLogin, { writes: [] }, ({ services, session, request, body }) =>
    login(services, session, actorOf(session, request), body),
  ),
  route(admin.adminLogout, { writes: [] }, ({ services, session, request }) =>
    logout(services, session, actorOf(session, request), adminTokenOf(request)),
  ),

  route(people.listPeople, { cost: 'list' }, ({ services }) => listPeople(services.db)),
  route(people.grantRole, { writes: [] }, ({ services, session, request, body }) =>
    grantRole(services, actorOf(session, request), body),
  ),
  route(people.renewPassword, { writes: [] }, ({ services, session, request, params, body }) =>
    renewPassword(services, actorOf(session, request), { ...params, ...body }),
  ),
  route(people.revokeRole, { writes: [] }, ({ services, session, request, params, body }) =>
    revokeRole(services, actorOf(session, request), { ...params, ...body }),
  ),

  route(admin.getConfig, { cost: 'list' }, ({ services, params }) => readSetting(services.db, params.key)),
  route(admin.setConfig, { writes: [] }, ({ services, session, request, body }) =>
    writeSetting(services.db, actorOf(session, request), body),
  ),

  route(
    admin.executeSql,
    { writes: kinds.map((kind) => `${kind}:*` as const) },
    ({ services, session, request, reply, body }) => {
      // Closing the page or pressing Cancel ends the statement.
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      const { sqlQuery, dryRun = false } = body;
      return executeSql(services, actorOf(session, request), { sqlQuery, dryRun, signal: gone.signal });
    },
  ),

  route(admin.listAllWithdrawals, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listQueue(services.db, query, query)),
  ),
  route(admin.approveWithdrawal, { writes: [] }, ({ services, session, request, params }) =>
    approve(services, actorOf(session, request), params.id),
  ),
  route(admin.rejectWithdrawal, { writes: [] }, ({ services, session, request, params, body }) =>
    reject(services, actorOf(session, request), params.id, body.reason),
  ),

  route(admin.listPayouts, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listBatches(services.db, query)).map(toBatch),
  ),
  route(admin.preparePayout, { writes: [] }, async ({ services, session, request, body }) =>
    toBatch(await prepare(services, actorOf(session, request), body.withdrawalIds)),
  ),
  route(admin.executePayout, { writes: [] }, async ({ services, session, request, params, body }) =>
    toBatch(await execute(services, actorOf(session, request), params.id, body)),
  ),
  route(admin.cancelPayout, { writes: [] }, async ({ services, session, request, params }) =>
    toBatch(await cancel(services, actorOf(session, request), params.id)),
  ),

  route(payoutHistory.getPayoutHistory, { cost: 'list' }, ({ services }) => readStatus(services.db, services.config)),
  route(payoutHistory.readPayoutHistory, { writes: [] }, async ({ services }) => {
    await readPayouts(services, { isRequest: true });
    return readStatus(services.db, services.config);
  }),
  route(payoutHistory.confirmPayoutHistory, { writes: [] }, async ({ services, session, request, body }) => {
    await confirmMissing(services, actorOf(session, request), body);
    await readPayouts(services, { isRequest: true });
    return readStatus(services.db, services.config);
  }),
  route(payoutHistory.listTransfers, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listTransfers(services.db, services.config, query.state, query)),
  ),
  route(payoutHistory.decideTransfers, { writes: [] }, ({ services, session, request, body }) =>
    decideTransfers(services, actorOf(session, request), body),
  ),

  route(admin.listAudit, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listAudit(services.db, query)),
  ),

  route(admin.listModeratedProjects, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listModeratedProjects(services.db, query)),
  ),
  route(admin.listModeratedReviews, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listModeratedReviews(services.db, query)),
  ),
  route(admin.moderateProject, { writes: ['projects:*'] }, ({ services, session, request, params, body }) =>
    moderateProject(services, actorOf(session, request), params.id, body),
  ),
  route(admin.moderateReview, { writes: ['reviews:*'] }, ({ services, session, request, params, body }) =>
    moderateReview(services, actorOf(session, request), params.id, body),
  ),

  route(admin.listModeratedReplies, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listModeratedReplies(services.db, query)),
  ),
  route(admin.moderateReply, { writes: ['reviews:*'] }, ({ services, session, request, params, body }) =>
    moderateReply(services, actorOf(session, request), params.id, body),
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
  route(standing.moderateVote, { writes: ['trust'] }, ({ services, session, request, params, body }) =>
    moderateVote(services, actorOf(session, request), params.id, body),
  ),
];
