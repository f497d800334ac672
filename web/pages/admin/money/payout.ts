import type { PayoutBatch } from '#shared/contract/admin.ts';
import { plural } from '#shared/plural.ts';
import type { buildBoundPayout } from '#chain/payout.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { api } from '../../../lib/api.ts';
import { needed } from '../../../lib/chunks.ts';
import { siteConfig } from '../../../lib/site.ts';
import type { ToastOptions } from '../../../lib/toast.ts';
import type { WalletModule } from '../../../lib/wallet-state.ts';
import { loadWallet } from '../../../wallet-gate.ts';
import { adminRequest } from '../admin-session.ts';

const LOOK_UPS = 15;
const LOOK_UP_MS = 1_000;

export function preparePayout(withdrawalIds: number[]): Promise<PayoutBatch> {
  return adminRequest((headers) => api.preparePayout({ body: { withdrawalIds }, headers }));
}

export function cancelPayout({ batchId }: PayoutBatch): Promise<PayoutBatch> {
  return adminRequest((headers) => api.cancelPayout({ params: { id: batchId }, headers }));
}

export function recordPayout({ batchId }: PayoutBatch, transactionHash: string): Promise<PayoutBatch> {
  return adminRequest((headers) => api.executePayout({ params: { id: batchId }, body: { transactionHash }, headers }));
}

export async function whenSeen<T>(record: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await record();
    } catch (error) {
      const isEarly = error instanceof ApiError && error.code === 'not_found_yet';
      if (!isEarly || attempt === LOOK_UPS) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_UP_MS));
    }
  }
}

const NEEDS_COIN =
  'Your wallet sends transactions on its own, and its Snaps are in no coin. Pay with a wallet that signs only, or send the Snaps as a coin first';

const LOADERS = {
  loadWallet: loadWallet as () => Promise<Pick<WalletModule, 'signTransaction' | 'signAndExecute' | 'isUnsupported'>>,
  loadBuilder: async (): Promise<typeof buildBoundPayout> =>
    (await needed(import('#chain/payout.ts'))).buildBoundPayout,
};

/** The payer's wallet signs; the server checks and executes (R33). A rejection leaves the batch unchanged. */
export async function payBatch(batch: PayoutBatch, loaders = LOADERS): Promise<PayoutBatch> {
  const { coinType, sender } = batch;
  if (coinType === null) throw new Error('No coin is configured: pay by hand and record the digest');
  const [site, buildTransaction, { createSuiClient }, wallet] = await Promise.all([
    siteConfig(),
    loaders.loadBuilder(),
    needed(import('#chain/client.ts')),
    loaders.loadWallet(),
  ]);
  const client = createSuiClient({ network: site.network, url: site.rpcUrl });
  const transfers = batch.recipients.map(({ walletAddress, amountUnits }) => ({
    address: walletAddress,
    amountUnits: BigInt(amountUnits),
  }));
  const build = () => buildTransaction(client, { sender: sender ?? site.adminWallet, coinType, transfers });
  try {
    const { bytes, signature } = await wallet.signTransaction(await build());
    const params = { id: batch.batchId };
    return await adminRequest((headers) => api.executePayout({ params, body: { bytes, signature }, headers }));
  } catch (error) {
    if (!wallet.isUnsupported(error, 'signTransaction')) throw error;
    const transaction = await build();
    // The server learns of it after it was sent: only a coin that it spends excludes a second one.
    if (!transaction.getData().inputs.some((input) => input.Object)) throw new Error(NEEDS_COIN, { cause: error });
    const { digest } = await wallet.signAndExecute(transaction);
    return whenSeen(() => recordPayout(batch, digest));
  }
}

export function payoutToast({ state, recipients, note }: PayoutBatch): ToastOptions {
  if (state === 'cancelled') return { title: 'Payout cancelled', description: 'Its withdrawals are approved again.' };
  if (state === 'paid')
    return { title: 'Payout sent', description: `${plural(recipients.length, 'withdrawal')} paid and verified.` };
  if (state === 'sent')
    return {
      title: 'Payout on its way',
      description: 'The chain has not responded yet; the server continues automatically.',
      variant: 'default',
    };
  return { title: 'Payout failed', description: note ?? 'Nothing was paid', variant: 'destructive' };
}
