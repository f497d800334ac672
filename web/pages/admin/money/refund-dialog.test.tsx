// @vitest-environment happy-dom
/** Sending a refund from the admin's wallet, and recording it (R80). */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { resolvePayment } from '#shared/contract/payments.ts';
import { ADDRESS } from '../../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { adminToken } from '../admin-session.ts';
import { type Refund, RefundDialog } from './refund-dialog.tsx';

const server = useTestPage();
const DIGEST = 'D'.repeat(44);
const REFUND: Refund = {
  paymentId: '11111111-1111-4111-8111-111111111111',
  amountMist: 15_000_000_000n,
  recipient: ADDRESS,
  isVerified: true,
};
const send = vi.fn<(refund: Refund) => Promise<string>>();
const close = vi.fn<() => void>();

beforeEach(() => {
  adminToken.set('token');
  send.mockReset();
  close.mockReset();
});

async function open() {
  draw(<RefundDialog refund={REFUND} onClose={close} send={send} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark as refunded' }));
  return { user: userEvent.setup(), dialog };
}

test('the wallet sends the fee once, and its digest stays until it is recorded [R80]', async () => {
  send.mockResolvedValue(DIGEST);
  server().reject(resolvePayment, 503, {
    error: 'chain_unreachable',
    message: 'The chain cannot be reached right now',
  });
  const { user, dialog } = await open();
  await user.type(dialog.getByLabelText('Reason'), 'We cannot list it');
  await user.click(dialog.getByRole('button', { name: /^Send 15 SUI to 0x/ }));
  expect(await dialog.findByDisplayValue(DIGEST)).toBeVisible();
  expect(send.mock.calls).toEqual([[REFUND]]);
  expect(dialog.queryByRole('button', { name: /^Send 15 SUI/ })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Mark as refunded' }));
  expect(await toastShown('Error')).toMatchObject({ description: 'The chain cannot be reached right now' });
  expect(dialog.getByLabelText('Digest of the refund')).toHaveValue(DIGEST);
  expect(close).not.toHaveBeenCalled();
  expect(server().calls(resolvePayment)[0]?.body).toMatchObject({ transactionHash: DIGEST });
});

test('a wallet that rejects leaves the dialog as it was, and says why', async () => {
  send.mockRejectedValue(new Error('You declined the request in your wallet'));
  const { user, dialog } = await open();
  await user.click(dialog.getByRole('button', { name: /^Send 15 SUI/ }));
  expect(await toastShown('Refund not sent')).toMatchObject({
    description: 'You declined the request in your wallet',
  });
  expect(dialog.getByRole('button', { name: /^Send 15 SUI/ })).toBeEnabled();
  expect(dialog.getByLabelText('Digest of the refund')).toHaveValue('');
});
