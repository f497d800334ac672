import { expect, test } from 'vitest';
import { MIN_WITHDRAWAL_TOKENS, REVIEW_COST_TOKENS } from '#shared/constants.ts';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import type { Review } from '#shared/contract/reviews.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject } from '#lab/testing/builders.ts';
import { newUser } from '#lab/testing/client.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { newDraft, submitPaid } from '#lab/testing/drafts.ts';

const server = await createTestApp();
const { db } = server.services;
const panel = await signInAsAdmin(server);

const NOTHING = [
  '',
  '   ',
  '\u200d',
  '\u2060',
  '\u3164',
  '\u2800',
  '\u200e',
  '\u00ad',
  '\ufe0f',
  '\u{e0041}',
  '\u202e\n\u180e',
];
const TRICKY = ' Spam\u202e\nand\u200d\u2800  fraud\u{e0041} ';
const CLEAN = 'Spam and fraud';

async function requested(): Promise<{ id: number; user: Awaited<ReturnType<typeof newUser>> }> {
  const user = await newUser(server);
  await grantTokens(db, user.id, MIN_WITHDRAWAL_TOKENS);
  const body = { userId: user.id, walletAddress: user.address, tokenAmount: MIN_WITHDRAWAL_TOKENS };
  const response = await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', body);
  return { id: response.body.withdrawal.id, user };
}

test.each(NOTHING)('a review of %j is empty and burns nothing [S5.6]', async (content) => {
  const user = await newUser(server);
  await grantTokens(db, user.id, REVIEW_COST_TOKENS);
  const path = `/api/projects/${await insertProject(db)}/reviews`;
  expect(await user.post(path, { userId: user.id, content })).toMatchObject({
    status: 400,
    body: { field: 'content', message: 'Review cannot be empty. Please write something before submitting' },
  });
  const posted = await user.post<Review>(path, { userId: user.id, content: `${content}${TRICKY}` });
  expect(posted).toMatchObject({ status: 201, body: { content: 'Spam\nand fraud' } });
});

test.each(NOTHING)('a name or description of %j is empty [S5.3]', async (text) => {
  const submit = async (changes: object) => submitPaid(panel.admin, { ...(await newDraft()), ...changes });
  expect(await submit({ name: text })).toMatchObject({ status: 400, body: { field: 'name' } });
  expect(await submit({ description: text })).toMatchObject({ status: 400, body: { field: 'description' } });
});

test.each(NOTHING)('a decision for the reason %j needs a reason [R33]', async (reason) => {
  const { id } = await requested();
  const project = await insertProject(db);
  for (const path of [`withdrawals/${id}/reject`, `projects/${project}/moderate`]) {
    const response = await panel.post(`/api/admin/${path}`, { reason, hidden: true });
    expect(response).toMatchObject({ status: 400, body: { field: 'reason', message: 'Please give a reason' } });
  }
});

test('the reason of a rejection is stored as one clean line of up to 300 code points, and shown so [R14 R15]', async () => {
  const { id, user } = await requested();
  const reject = (reason: string) => panel.post<AdminWithdrawal>(`/api/admin/withdrawals/${id}/reject`, { reason });
  expect(await reject('🦈'.repeat(301))).toMatchObject({ status: 400, body: { field: 'reason' } });
  expect((await reject(TRICKY)).body.reason).toBe(CLEAN);
  const { body } = await user.get<Array<{ text: string }>>(`/api/users/${user.id}/activity`);
  expect(body[0]?.text).toBe(`Withdrawal of ${MIN_WITHDRAWAL_TOKENS} Snaps rejected: ${CLEAN}`);
  const second = await requested();
  const long = '🦈'.repeat(300);
  expect(
    (await panel.post<AdminWithdrawal>(`/api/admin/withdrawals/${second.id}/reject`, { reason: long })).body.reason,
  ).toBe(long);
});

test('page, server and database count a family emoji by its code points [R15]', async () => {
  const family = '👨‍👩‍👧‍👦';
  const description = `${family.repeat(28)}abcd`;
  const response = await submitPaid<{ description: string }>(panel.admin, await newDraft({ description }));
  expect([response.status, response.body.description]).toEqual([201, description]);
  const longer = await newDraft({ description: `${description}e` });
  expect(await submitPaid(panel.admin, longer)).toMatchObject({ status: 400, body: { field: 'description' } });
});
