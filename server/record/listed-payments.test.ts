import { afterAll, expect, test } from 'vitest';
import { buildPayment } from '#chain/payment.ts';
import { openChain } from '#record/verify/chain.ts';
import { fundedWallet, startChain } from '#lab/testing/chain.ts';
import { newWallet } from '#lab/testing/wallets.ts';

const chain = await startChain();
afterAll(() => chain.stop());

test('a verifier reads the payments of a wallet as far back as a node lists them, and says how far [R62]', async () => {
  const wallet = await fundedWallet(chain);
  const [sender, recipient] = [wallet.toSuiAddress(), newWallet().toSuiAddress()];
  const startMs = Date.now() - 60_000;
  for (const amountMist of [1n, 2n]) {
    const bytes = await buildPayment({ sender, recipient, amountMist }).build({ client: chain.client });
    const { signature } = await wallet.signTransaction(bytes);
    await chain.client.core.executeTransaction({ transaction: bytes, signatures: [signature] });
  }
  const { paymentsBy } = openChain({ network: 'localnet', url: chain.rpcUrl });
  const whole = await paymentsBy(sender, startMs);
  expect(whole.payments.map(({ address, mist }) => [address, mist])).toEqual([
    [recipient, 1n],
    [recipient, 2n],
  ]);
  expect(whole.sinceMs).toBe(startMs);
  const { response } = await chain.client.ledgerService.getServiceInfo({});
  await chain.control({ lowestCheckpoint: Number(response.checkpointHeight) });
  const pruned = await paymentsBy(sender, startMs);
  expect(pruned.payments.map(({ mist }) => mist)).toEqual([2n]);
  expect(pruned.sinceMs).toBe(whole.payments[1]?.timeMs);
});
