import type { FastifyReply } from 'fastify';
import { payments, projects } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { pending } from '../payments/common.ts';
import { execute, type OrderCheck } from '../payments/execute.ts';
import type { Services } from '#server/kit/services.ts';
import { actorOf } from '#server/books/audit.ts';
import { describeProject, place } from './place.ts';
import { prepare } from './prepare.ts';
import { checkChangedOften, checkName, checkPossible, checkUnclaimed, type OrderInput, readOrder } from './read.ts';
import { resolve } from './resolve.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { orderOf } from './order.ts';

const stillPossible =
  (services: Services, session: SessionUser): OrderCheck =>
  async (payment) => {
    const order = orderOf(payment);
    if (order && order.purpose !== 'renew') await checkName(services, order.draft.name, payment.projectId);
    if (payment.projectId === null) return;
    const request = await readOrder(services, { purpose: 'renew', ref: String(payment.projectId) }, session);
    checkPossible({ ...request, purpose: payment.purpose });
    checkUnclaimed(request);
    await checkChangedOften(services, { ...request, purpose: payment.purpose });
  };

interface PlaceCall {
  services: Services;
  session: SessionUser;
  reply: FastifyReply;
}

async function placeOrder({ services, session, reply }: PlaceCall, input: OrderInput, digest: string | undefined) {
  const placed = await place(services, session, input, digest);
  if ('projectId' in placed) return describeProject(services, placed.projectId);
  reply.code(202);
  return pending(placed.phase);
}

export const orderRoutes = [
  route(payments.preparePayment, { writes: [] }, ({ services, session, body }) => {
    const input: OrderInput = body.purpose === 'submit' ? body : { ...body, ref: String(body.projectId) };
    return prepare(services, session, input);
  }),

  route(payments.executePayment, { writes: [] }, async ({ services, session, params, body, reply }) => {
    const executed = await execute(services, session, params.id, body, stillPossible(services, session));
    if ('status' in executed) reply.code(202);
    return executed;
  }),

  route(payments.resolvePayment, { writes: ['projects:*', 'counts'] }, ({ services, session, request, params, body }) =>
    resolve(services, actorOf(session, request), params.id, body),
  ),

  route(projects.createProject, { writes: ['projects:*', 'counts'] }, (call) => {
    const { submittedBy: _, transactionHash, ...draft } = call.body;
    return placeOrder(call, { purpose: 'submit', draft }, transactionHash);
  }),

  route(projects.updateProject, { writes: ['projects:*'] }, (call) => {
    const { walletAddress: _, transactionHash, ...draft } = call.body;
    return placeOrder(call, { purpose: 'update', ref: call.params.id, draft }, transactionHash);
  }),

  route(projects.renewProject, { writes: ['projects:*'] }, (call) =>
    placeOrder(call, { purpose: 'renew', ref: call.params.id }, call.body.transactionHash),
  ),
];
