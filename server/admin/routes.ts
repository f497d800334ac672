import { admin, payoutHistory, people, reports, standing } from '#shared/contract/index.ts';
import { sendPage } from '../http/pages.ts';
import { implement } from '../http/declare.ts';
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

const done = { success: true } as const;

export const adminRoutes = [
  implement(admin.adminLogin, ({ services, session, request, body }) =>
    login(services, session, actorOf(session, request), body),
  ),
  implement(admin.adminLogout, async ({ services, session, request }) => {
    await logout(services, session, actorOf(session, request), adminTokenOf(request));
    return done;
  }),

  implement(people.listPeople, ({ services }) => listPeople(services.db)),
  implement(people.grantRole, ({ services, session, request, body }) =>
    grantRole(services, actorOf(session, request), body),
  ),
  implement(people.renewPassword, ({ services, session, request, params, body }) =>
    renewPassword(services, actorOf(session, request), { ...params, ...body }),
  ),
  implement(people.revokeRole, async ({ services, session, request, params, body }) => {
    await revokeRole(services, actorOf(session, request), { ...params, ...body });
    return done;
  }),

  implement(admin.getConfig, ({ services, params }) => readSetting(services.db, params.key)),
  implement(admin.setConfig, ({ services, session, request, body }) =>
    writeSetting(services.db, actorOf(session, request), body),
  ),

  implement(admin.executeSql, ({ services, session, request, reply, body }) => {
    // Closing the page or pressing Cancel ends the statement.
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    const { sqlQuery, dryRun = false } = body;
    return executeSql(services, actorOf(session, request), { sqlQuery, dryRun, signal: gone.signal });
  }),

  implement(admin.listAllWithdrawals, async ({ services, query, reply }) =>
    sendPage(reply, await listQueue(services.db, query, query)),
  ),
  implement(admin.approveWithdrawal, ({ services, session, request, params }) =>
    approve(services, actorOf(session, request), params.id),
  ),
  implement(admin.rejectWithdrawal, ({ services, session, request, params, body }) =>
    reject(services, actorOf(session, request), params.id, body.reason),
  ),

  implement(admin.listPayouts, async ({ services, query, reply }) =>
    sendPage(reply, await listBatches(services.db, query)).map(toBatch),
  ),
  implement(admin.preparePayout, async ({ services, session, request, body }) =>
    toBatch(await prepare(services, actorOf(session, request), body.withdrawalIds)),
  ),
  implement(admin.executePayout, async ({ services, session, request, params, body }) =>
    toBatch(await execute(services, actorOf(session, request), params.id, body)),
  ),
  implement(admin.cancelPayout, async ({ services, session, request, params }) =>
    toBatch(await cancel(services, actorOf(session, request), params.id)),
  ),

  implement(payoutHistory.getPayoutHistory, ({ services }) => readStatus(services.db, services.config)),
  implement(payoutHistory.readPayoutHistory, async ({ services }) => {
    await readPayouts(services, { isRequest: true });
    return readStatus(services.db, services.config);
  }),
  implement(payoutHistory.confirmPayoutHistory, async ({ services, session, request, body }) => {
    await confirmMissing(services, actorOf(session, request), body);
    await readPayouts(services, { isRequest: true });
    return readStatus(services.db, services.config);
  }),
  implement(payoutHistory.listTransfers, async ({ services, query, reply }) =>
    sendPage(reply, await listTransfers(services.db, services.config, query.state, query)),
  ),
  implement(payoutHistory.decideTransfers, async ({ services, session, request, body }) => {
    await decideTransfers(services, actorOf(session, request), body);
    return done;
  }),

  implement(admin.listAudit, async ({ services, query, reply }) =>
    sendPage(reply, await listAudit(services.db, query)),
  ),

  implement(admin.listModeratedProjects, async ({ services, query, reply }) =>
    sendPage(reply, await listModeratedProjects(services.db, query)),
  ),
  implement(admin.listModeratedReviews, async ({ services, query, reply }) =>
    sendPage(reply, await listModeratedReviews(services.db, query)),
  ),
  implement(admin.moderateProject, async ({ services, session, request, params, body }) => {
    await moderateProject(services, actorOf(session, request), params.id, body);
    return done;
  }),
  implement(admin.moderateReview, async ({ services, session, request, params, body }) => {
    await moderateReview(services, actorOf(session, request), params.id, body);
    return done;
  }),

  implement(admin.listModeratedReplies, async ({ services, query, reply }) =>
    sendPage(reply, await listModeratedReplies(services.db, query)),
  ),
  implement(admin.moderateReply, async ({ services, session, request, params, body }) => {
    await moderateReply(services, actorOf(session, request), params.id, body);
    return done;
  }),
  implement(reports.listReports, async ({ services, query, reply }) =>
    sendPage(reply, await listReports(services.db, query)),
  ),
  implement(reports.dismissReports, async ({ services, session, request, body }) => {
    await dismissReports(services, actorOf(session, request), body);
    return done;
  }),

  implement(standing.listAppeals, async ({ services, query, reply }) =>
    sendPage(reply, await listAppeals(services.db, query.state, query)),
  ),
  implement(standing.answerAppeal, ({ services, session, request, params, body }) =>
    answerAppeal(services, actorOf(session, request), params.id, body.answer),
  ),
  implement(standing.listModeratedVotes, async ({ services, query, reply }) =>
    sendPage(
      reply,
      query.voterId === undefined
        ? await listDecisions(services.db, query)
        : await listVotesOf(services.db, query.voterId, query),
    ),
  ),
  implement(standing.moderateVote, async ({ services, session, request, params, body }) => {
    await moderateVote(services, actorOf(session, request), params.id, body);
    return done;
  }),
];
