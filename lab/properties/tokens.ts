import { randomBytes } from 'node:crypto';
import { toBase58 } from '@mysten/sui/utils';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { MIN_WITHDRAWAL_TOKENS, REVIEW_COST_TOKENS, UNDOS_PER_WINDOW, VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import type { SqlResult } from '#shared/contract/admin.ts';
import { ageVotes } from '../testing/opinions.ts';
import type { KnownWithdrawal } from './model.ts';
import type { Scenario } from './scenario.ts';
import type { Step } from './steps.ts';

/** Steps that move tokens; each compares the response with the model. */

export async function vote(scenario: Scenario, step: Step<'vote'>): Promise<void> {
  const { model } = scenario;
  const user = scenario.userAt(step.user);
  const projectId = scenario.projectAt(step.project);
  const body = { userId: user.id, projectId, voteType: step.bullish ? 'bullish' : 'bearish' };
  const responses = await Promise.all(Array.from({ length: step.twice ? 2 : 1 }, () => user.post('/api/votes', body)));
  const accepted = responses.filter(({ status }) => status === 200).length;
  const votes = model.votesOf(user.id, projectId);
  const period = model.periodOf(projectId);
  const mayVote = projectId !== scenario.ownProjectOf(user) && votes.at(-1)?.period !== period;
  expect(accepted).toBe(mayVote ? 1 : 0);
  if (accepted === 0) return;
  votes.push({ period, said: [step.bullish] });
  model.use(user.id, 1);
  model.undoable.set(user.id, projectId);
  model.earn(user.id, VOTE_REWARD_TOKENS);
}

/** Changes or confirms a vote a day later, in one tab or in two at once: one counts, and nothing is earned. */
export async function change(scenario: Scenario, step: Step<'change'>): Promise<void> {
  const { db, model } = scenario;
  const user = scenario.userAt(step.user);
  const projectId = scenario.projectAt(step.project);
  const vote = model.votesOf(user.id, projectId).at(-1);
  const mayChange = vote !== undefined && vote.period === model.periodOf(projectId);
  if (mayChange) {
    await ageVotes(db, user.id, '1 day');
    model.window.delete(user.id);
    model.undoable.delete(user.id);
  }
  const body = { voteType: step.bullish ? 'bullish' : 'bearish' };
  const tabs = Array.from({ length: step.twice ? 2 : 1 }, () => user.send('PUT', `/api/votes/${projectId}`, body));
  const accepted = (await Promise.all(tabs)).filter(({ status }) => status === 200).length;
  expect(accepted).toBe(mayChange ? 1 : 0);
  if (!mayChange) return;
  vote.said.push(step.bullish);
  model.undoable.set(user.id, projectId);
}

/** Undoes a vote or a change, in one tab or in two at once: only the newest of all, where the balance allows it. */
export async function undo(scenario: Scenario, step: Step<'undo'>): Promise<void> {
  const { model } = scenario;
  const user = scenario.userAt(step.user);
  const projectId = scenario.projectAt(step.project);
  const votes = model.votesOf(user.id, projectId);
  const tabs = Array.from({ length: step.twice ? 2 : 1 }, () => user.send('DELETE', `/api/votes/${projectId}`));
  const accepted = (await Promise.all(tabs)).filter(({ status }) => status === 200).length;
  const undone = model.undone.get(user.id) ?? 0;
  const newest = votes.at(-1);
  const isChange = newest !== undefined && newest.said.length > 1;
  const isAffordable = isChange || model.balanceOf(user.id) >= VOTE_REWARD_TOKENS;
  const mayUndo = model.undoable.get(user.id) === projectId && isAffordable && undone < UNDOS_PER_WINDOW;
  expect(accepted).toBe(mayUndo ? 1 : 0);
  if (!mayUndo) return;
  model.undone.set(user.id, undone + 1);
  model.undoable.delete(user.id);
  if (isChange) {
    newest.said.pop();
    return;
  }
  model.use(user.id, -1);
  votes.pop();
  model.earn(user.id, -VOTE_REWARD_TOKENS);
}

export async function beginPeriod(scenario: Scenario, step: Step<'period'>): Promise<void> {
  const { db, model } = scenario;
  const projectId = scenario.projectAt(step.project);
  await sql`UPDATE projects SET period_starts =
      ARRAY(SELECT s FROM unnest(period_starts) s WHERE s <= clock_timestamp() ORDER BY s) || clock_timestamp()
    WHERE id = ${projectId}`.execute(db);
  model.periods.set(projectId, model.periodOf(projectId) + 1);
}

export async function review(scenario: Scenario, step: Step<'review'>): Promise<void> {
  const user = scenario.userAt(step.user);
  const projectId = scenario.projectAt(step.project);
  const isOwn = projectId === scenario.ownProjectOf(user);
  const canPay = !isOwn && scenario.model.balanceOf(user.id) >= REVIEW_COST_TOKENS;
  const response = await user.post(`/api/projects/${projectId}/reviews`, { userId: user.id, content: 'A review' });
  expect(response.status === 201).toBe(canPay);
  if (canPay) scenario.model.earn(user.id, -REVIEW_COST_TOKENS);
}

export async function withdraw(scenario: Scenario, { user: at, amount, key }: Step<'withdraw'>): Promise<void> {
  const { model } = scenario;
  const user = scenario.userAt(at);
  const body = { userId: user.id, walletAddress: user.address, tokenAmount: amount };
  const name = `${user.id}-${key}`;
  const before = key === null ? undefined : model.keys.get(name);
  const response = await user.post<{ withdrawal: { id: number; tokenAmount: number } }>(
    '/api/withdrawals',
    body,
    key === null ? {} : { 'idempotency-key': key },
  );
  if (before !== undefined) {
    // The same request, or one that contradicts it; never a second withdrawal.
    if (response.status < 300) expect(response.body.withdrawal.id).toBe(before);
    return;
  }
  const isOpen = ({ userId, state }: KnownWithdrawal) =>
    userId === user.id && (state === 'requested' || state === 'approved');
  const mayAsk = scenario.stands(user) || ![...model.withdrawals.values()].some(isOpen);
  expect(response.status === 201).toBe(mayAsk && amount >= MIN_WITHDRAWAL_TOKENS && amount <= model.balanceOf(user.id));
  if (response.status !== 201) return;
  const { id } = response.body.withdrawal;
  model.withdrawals.set(id, { userId: user.id, amount, state: 'requested' });
  model.earn(user.id, -amount);
  if (key !== null) model.keys.set(name, id);
}

export async function decide(scenario: Scenario, { withdrawal: at, approve }: Step<'decide'>): Promise<void> {
  const found = [...scenario.model.withdrawals][at % Math.max(1, scenario.model.withdrawals.size)];
  if (!found) return;
  const [id, known] = found;
  const path = `/api/admin/withdrawals/${id}/${approve ? 'approve' : 'reject'}`;
  const { status } = await scenario.panel.post(path, approve ? undefined : { reason: 'Not this time' });
  const isOpen = known.state === 'requested' || (!approve && known.state === 'approved');
  if (status !== 200) {
    expect(isOpen).toBe(false);
    return;
  }
  if (approve) {
    if (known.state === 'requested') known.state = 'approved';
    return;
  }
  // A repeated rejection gives nothing back again.
  if (known.state !== 'rejected') scenario.model.earn(known.userId, known.amount);
  expect(known.state).not.toBe('paid');
  known.state = 'rejected';
}

/** Records approved withdrawals as paid by hand, twice with the same digest. */
export async function payout(scenario: Scenario, { count }: Step<'payout'>): Promise<void> {
  const approved = [...scenario.model.withdrawals]
    .filter(([, { state }]) => state === 'approved')
    .slice(0, 1 + (count % 3));
  if (approved.length === 0) return;
  const body = { withdrawalIds: approved.map(([id]) => id), digest: toBase58(randomBytes(32)) };
  const { panel } = scenario;
  expect((await panel.post('/api/admin/payouts/record', body)).status).toBe(200);
  expect((await panel.post('/api/admin/payouts/record', body)).status).toBe(409);
  for (const [, known] of approved) known.state = 'paid';
}

/** Statements that an admin may type: forgeries that are refused, and writes that change no number. */
const STATEMENTS: readonly ((userId: number) => string)[] = [
  (id) => `UPDATE user_stats SET balance = balance + 500 WHERE user_id = ${id}`,
  (id) => `UPDATE user_stats SET balance = 0, tokens_earned = 0 WHERE user_id = ${id} AND balance > 0`,
  (id) =>
    `INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) VALUES (${id}, 'hold_release', -7, 500, now())`,
  () => 'UPDATE token_ledger SET amount = amount * 2',
  () => 'UPDATE votes SET period = period + 1',
  () => 'UPDATE vote_changes SET bullish = NOT bullish',
  () => 'DELETE FROM vote_changes',
  (id) => `INSERT INTO votes (user_id, project_id, bullish, created_at) VALUES (${id}, 999999, true, now())`,
  () => `UPDATE projects SET expires_at = expires_at + interval '31 days'`,
  () => `UPDATE projects SET description = 'Changed in the console'`,
  (id) => `UPDATE users SET username = 'renamed_${id}' WHERE id = ${id}`,
];

export async function typeInConsole(scenario: Scenario, { statement }: Step<'console'>): Promise<void> {
  const make = STATEMENTS[statement % STATEMENTS.length];
  if (!make) return;
  const sqlQuery = make(scenario.userAt(statement).id);
  const response = await scenario.panel.post<SqlResult>('/api/admin/execute-sql', { sqlQuery });
  expect(response.status).toBe(200);
}
