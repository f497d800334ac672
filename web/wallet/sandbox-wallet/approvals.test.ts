import { expect, it, vi } from 'vitest';
import { type Approval, type ApprovalRequest, inOrder } from './approvals.ts';
import type { SandboxAccount } from './keyring.ts';

const account: SandboxAccount = { label: 'Account 1', address: '0x1' };
const request = (text: string): ApprovalRequest => ({ kind: 'message', account, text });
const APPROVAL: Approval = { address: '0x1' };

it('asks one thing at a time, in order, and goes on after one that failed', async () => {
  const first = Promise.withResolvers<Approval | null>();
  const asked = vi.fn<(request: ApprovalRequest) => Promise<Approval | null>>();
  asked.mockReturnValueOnce(first.promise).mockResolvedValueOnce(null).mockResolvedValueOnce(APPROVAL);
  const ask = inOrder(asked);
  const answers = [ask(request('one')), ask(request('two')), ask(request('three'))];
  await Promise.resolve();
  expect(asked).toHaveBeenCalledTimes(1);
  first.reject(new Error('The dialog broke'));
  await expect(answers[0]).rejects.toThrow('The dialog broke');
  expect(await answers[1]).toBeNull();
  expect(await answers[2]).toBe(APPROVAL);
  expect(asked.mock.calls.map(([one]) => (one.kind === 'message' ? one.text : ''))).toEqual(['one', 'two', 'three']);
});
