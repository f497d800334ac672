import { readChainId } from '#server/chain/chain-id.ts';
import { warning } from './check.ts';
import type { Subject } from './subject.ts';

/** A wallet that the chain has never seen may be one without a known key. */
export async function askAdminWallet({ sui, config }: Pick<Subject, 'sui' | 'config'>): Promise<string> {
  const { network, adminWallet } = config;
  const id = await readChainId(sui, network);
  const { balance } = await sui.core.getBalance({ owner: adminWallet, signal: AbortSignal.timeout(10_000) });
  if (BigInt(balance.balance) === 0n)
    throw warning(
      `${adminWallet} holds no SUI on this network: it may be mistyped`,
      'Check ADMIN_WALLET in your wallet, and send a little SUI to it: listing fees go there',
    );
  return `holds SUI on ${network}, chain ${id.slice(0, 8)}…`;
}
