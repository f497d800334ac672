import type { Services } from '#server/kit/services.ts';
import { payingWallets } from '#server/panel/admin/roles.ts';
import type { Books } from './match.ts';
import { lostSpan } from './queries.ts';

export const openBooks = async ({ db, config }: Services): Promise<Books> => ({
  wallets: await payingWallets(db, config),
  decimals: config.snapsDecimals,
  lost: await lostSpan(db),
});
