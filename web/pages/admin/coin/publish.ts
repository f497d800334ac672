import type { buildPublication, readPublication, rebuild } from '#chain/publication.ts';
import type { CoinDraft, CoinPublication } from '#shared/contract/coin.ts';
import { api } from '../../../lib/api.ts';
import { needed } from '../../../lib/chunks.ts';
import { siteConfig } from '../../../lib/site.ts';
import type { WalletModule } from '../../../lib/wallet-state.ts';
import { loadWallet } from '../../../wallet-gate.ts';
import { adminRequest } from '../admin-session.ts';

const LOADERS = {
  loadWallet: loadWallet as () => Promise<Pick<WalletModule, 'signTransaction'>>,
  loadPublication: (): Promise<{
    buildPublication: typeof buildPublication;
    readPublication: typeof readPublication;
    rebuild: typeof rebuild;
  }> => needed(import('#chain/publication.ts')),
};

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/**
 * The owner's wallet signs; the server checks the same bytes and sends them (R83). Whatever is not exactly the previewed
 * coin is refused here, before a wallet sees it.
 */
export async function publishCoin(
  { module: base64, sender }: Pick<CoinDraft, 'module' | 'sender'>,
  replaces: string | null,
  loaders = LOADERS,
): Promise<CoinPublication> {
  const [site, publication, { createSuiClient }, wallet] = await Promise.all([
    siteConfig(),
    loaders.loadPublication(),
    needed(import('#chain/client.ts')),
    loaders.loadWallet(),
  ]);
  const module = bytesOf(base64);
  const client = createSuiClient({ network: site.network, url: site.rpcUrl });
  const bytes = await publication.buildPublication({ sender, module }).build({ client });
  const reading = publication.readPublication(bytes);
  if ('error' in reading) throw new Error(`Nothing was signed: ${reading.error}`);
  if (reading.sender !== sender || reading.module.join() !== module.join())
    throw new Error('Nothing was signed: the transaction is not the coin of the preview');
  const signed = await wallet.signTransaction(publication.rebuild(bytes));
  const body = { bytes: signed.bytes, signature: signed.signature, replaces };
  return adminRequest((headers) => api.executeCoin({ body, headers }));
}
