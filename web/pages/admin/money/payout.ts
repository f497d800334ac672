import type { PreparedPayout, SentPayout } from '#shared/contract/payouts.ts';
import { plural } from '#shared/numbers/plural.ts';
import type { buildPay } from '#chain/book.ts';
import { api } from '../../../lib/api.ts';
import { needed } from '../../../lib/chunks.ts';
import { siteConfig } from '../../../lib/site.ts';
import type { ToastOptions } from '../../../lib/toast.ts';
import type { WalletModule } from '../../../lib/wallet-state.ts';
import { loadWallet } from '../../../wallet-gate.ts';
import { adminRequest } from '../admin-session.ts';

const LOADERS = {
  loadWallet: loadWallet as () => Promise<Pick<WalletModule, 'signTransaction' | 'signAndExecute' | 'isUnsupported'>>,
  loadBuilder: async (): Promise<typeof buildPay> => (await needed(import('#chain/book.ts'))).buildPay,
};

/**
 * The payer's wallet signs a call of the Book, and the server executes it (R33). It may be signed or sent again: the Book
 * pays the difference only.
 */
export async function payOut(chosen: number[], loaders = LOADERS): Promise<ToastOptions> {
  const prepared = await adminRequest((headers) => api.preparePayout({ body: { withdrawalIds: chosen }, headers }));
  const { withdrawalIds } = prepared;
  const send = (signed: Parameters<typeof api.sendPayout>[0]['body']['signed']) =>
    adminRequest((headers) => api.sendPayout({ body: { withdrawalIds, signed }, headers }));
  const [build, wallet] = await Promise.all([transactionOf(prepared, loaders), loaders.loadWallet()]);
  try {
    const { bytes, signature } = await wallet.signTransaction(await build());
    return sentToast(prepared, await send({ bytes, signature }));
  } catch (error) {
    if (!wallet.isUnsupported(error, 'signTransaction')) throw error;
    const { digest } = await wallet.signAndExecute(await build());
    return sentToast(prepared, await send({ digest }));
  }
}

async function transactionOf({ book, sender, due }: PreparedPayout, loaders: typeof LOADERS) {
  const [site, buildTransaction, { createSuiClient }] = await Promise.all([
    siteConfig(),
    loaders.loadBuilder(),
    needed(import('#chain/client.ts')),
  ]);
  const client = createSuiClient({ network: site.network, url: site.rpcUrl });
  const units = due.map(({ account, total, atMost }) => ({ account, total: BigInt(total), atMost: BigInt(atMost) }));
  return () => buildTransaction(client, { book, sender, due: units });
}

function sentToast({ withdrawalIds, refused }: PreparedPayout, { paidIds }: SentPayout): ToastOptions {
  const aside = refused.flatMap((one) => one.withdrawalIds).length;
  const rest = aside === 0 ? '' : ` The chain refuses ${plural(aside, 'withdrawal')}; the reason is in the queue.`;
  if (paidIds.length < withdrawalIds.length)
    return {
      title: 'Payout on its way',
      description: `The chain has not confirmed all of it yet; the server continues automatically.${rest}`,
      variant: 'default',
    };
  return { title: 'Payout sent', description: `${plural(paidIds.length, 'withdrawal')} paid.${rest}` };
}

/** On a site without a coin. */
export async function recordByHand(
  withdrawalIds: number[],
  { digest, hasCompared }: { digest: string; hasCompared: boolean },
): Promise<ToastOptions> {
  const body = { withdrawalIds, digest, hasCompared };
  const { paidIds } = await adminRequest((headers) => api.recordPayout({ body, headers }));
  return { title: 'Payout recorded', description: `${plural(paidIds.length, 'withdrawal')} recorded as paid.` };
}
