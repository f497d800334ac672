import type { ProjectChanges, ProjectDraft } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import { api } from '../lib/api.ts';
import type { OpenOrder } from './journal.ts';

export type Order =
  | { purpose: 'submit'; draft: ProjectDraft }
  | { purpose: 'update'; projectId: number; changes: ProjectChanges }
  | { purpose: 'renew'; projectId: number };

export type Stage = 'prepare' | 'pay' | 'place';

export class OrderError extends Error {
  readonly stage: Stage;

  constructor(stage: Stage, cause: unknown) {
    super(`The order stopped at ${stage}`, { cause });
    this.stage = stage;
  }
}

/** done: the project as it is now · open: there is a payment, and this is how far it has come; never pay again for it. */
export type OrderOutcome =
  | { state: 'done'; project: Project }
  | { state: 'open'; phase: OpenOrder['phase'] | 'review'; paymentId: string };

export type Placed = { state: 'done'; project: Project } | { state: 'pending'; phase: 'looking' | 'received' };

export function prepareOrder(order: Order) {
  const { purpose } = order;
  if (purpose === 'submit') return api.preparePayment({ body: { purpose, draft: order.draft } });
  const { projectId } = order;
  if (purpose === 'update') return api.preparePayment({ body: { purpose, projectId, draft: order.changes } });
  return api.preparePayment({ body: { purpose, projectId } });
}

export async function placeOrder(order: Order, walletAddress: string, transactionHash?: string): Promise<Placed> {
  const paid = transactionHash === undefined ? {} : { transactionHash };
  const response = await send(order, walletAddress, paid);
  return 'status' in response ? { state: 'pending', phase: response.phase } : { state: 'done', project: response };
}

function send(order: Order, walletAddress: string, paid: { transactionHash?: string }) {
  if (order.purpose === 'submit')
    return api.createProject({ body: { ...order.draft, submittedBy: walletAddress, ...paid } });
  const params = { id: String(order.projectId) };
  if (order.purpose === 'update')
    return api.updateProject({ params, body: { ...order.changes, walletAddress, ...paid } });
  return api.renewProject({ params, body: { walletAddress, ...paid } });
}
