import { expect } from 'vitest';
import { pay as payOnChain, signPayment } from '../testing/chain.ts';
import type { TestResponse, TestUser } from '../testing/client.ts';
import { executeSigned, newDraft, type Prepared, submitPaid } from '../testing/drafts.ts';
import { FEES, type Order, type Purpose } from './model.ts';
import type { Scenario } from './scenario.ts';
import type { Step } from './steps.ts';

let serial = 0;

/** Steps that move SUI; a crash may come between any two of them. */

async function newOrder(scenario: Scenario, user: TestUser, purpose: Purpose): Promise<Order> {
  const projectId = purpose === 'submit' ? null : scenario.ownProjectOf(user);
  serial += 1;
  const draft = await newDraft({ name: `Property ${serial}`, description: `Described for the ${serial}th time` });
  return { user, purpose, draft, projectId, paymentId: null, signed: null };
}

export async function prepare(scenario: Scenario, { user: at, purpose }: Step<'prepare'>): Promise<void> {
  const order = await newOrder(scenario, scenario.userAt(at), purpose);
  const { name, description } = order.draft;
  const draft = purpose === 'submit' ? order.draft : purpose === 'update' ? { name, description } : undefined;
  const response = await order.user.post<Prepared>('/api/payments', {
    purpose,
    draft,
    ...(order.projectId === null ? {} : { projectId: order.projectId }),
  });
  if (response.status !== 201) {
    expect([409, 429]).toContain(response.status);
    return;
  }
  order.paymentId = response.body.paymentId;
  scenario.model.orders.push(order);
}

export async function execute(scenario: Scenario, { order: at }: Step<'execute'>): Promise<void> {
  const order = scenario.model.orders[at % Math.max(1, scenario.model.orders.length)];
  if (!order?.paymentId) return;
  // Signed once: a wallet that is asked again may send another transaction, which the 409 of an open payment prevents.
  order.signed ??= await signPayment(scenario.chain, order.user.wallet, FEES[order.purpose], scenario.recipient);
  const response = await executeSigned(order.user, order.paymentId, order.signed);
  expect([200, 202, 400, 409]).toContain(response.status);
  if (response.status < 300) scenario.model.paid.set(order.signed.digest, order);
}

function claim(order: Order, digest: string): Promise<TestResponse<{ id: number; status?: string }>> {
  const { user, purpose, projectId, draft } = order;
  if (purpose === 'submit') return submitPaid(user, draft, digest);
  if (purpose === 'renew') return user.post(`/api/projects/${projectId}/renew`, { transactionHash: digest });
  const changes = { name: draft.name, description: draft.description, transactionHash: digest };
  return user.patch(`/api/projects/${projectId}/update`, changes);
}

async function placeOrder(scenario: Scenario, order: Order, digest: string): Promise<void> {
  const { model } = scenario;
  const response = await claim(order, digest);
  expect(response.status).toBeLessThan(500);
  if (response.status !== 200 && response.status !== 201) return;
  // A digest is valid for one order, and for that one any number of times.
  const before = model.fulfilled.get(digest);
  expect(before === undefined || before === order).toBe(true);
  model.fulfilled.set(digest, order);
}

export async function place(scenario: Scenario, { order: at }: Step<'place'>): Promise<void> {
  const order = scenario.model.orders[at % Math.max(1, scenario.model.orders.length)];
  if (order?.signed && scenario.model.paid.has(order.signed.digest))
    await placeOrder(scenario, order, order.signed.digest);
}

/** Pays without the server and names the digest afterwards (R17). */
export async function pay(scenario: Scenario, { user: at, purpose }: Step<'pay'>): Promise<void> {
  const order = await newOrder(scenario, scenario.userAt(at), purpose);
  const digest = await payOnChain(scenario.chain, order.user.wallet, FEES[purpose], scenario.recipient);
  scenario.model.paid.set(digest, order);
  scenario.model.orders.push(order);
  await placeOrder(scenario, order, digest);
}

/** Names a digest that has paid for something else already, as its payer or as another user. */
export async function replay(scenario: Scenario, { digest: at, user, purpose }: Step<'replay'>): Promise<void> {
  const { model } = scenario;
  const digest = [...model.fulfilled.keys()][at % Math.max(1, model.fulfilled.size)];
  if (digest === undefined) return;
  const order = await newOrder(scenario, scenario.userAt(user), purpose);
  const first = model.fulfilled.get(digest);
  const isSame = first?.purpose === 'renew' && purpose === 'renew' && first.projectId === order.projectId;
  const response = await claim(order, digest);
  if (!isSame || first.user.id !== order.user.id) expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
}
