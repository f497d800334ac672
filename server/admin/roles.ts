import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Config } from '../config.ts';

/**
 * Wallets whose transfers may be payouts (R56): the owner's, earlier owners', and every wallet that is or was a payer. A payer to
 * whom a role was granted after the moment to which a database was restored is not among them until the owner grants it again.
 */
export async function payingWallets(db: Db, config: Pick<Config, 'adminWallet'>): Promise<string[]> {
  const { rows } = await sql<{ wallet: string }>`
    SELECT address AS wallet FROM payment_recipients
    UNION SELECT wallet_address FROM admins WHERE has_paid
    UNION SELECT sender FROM payout_batches WHERE sender IS NOT NULL AND digest IS NOT NULL`.execute(db);
  return [...new Set([config.adminWallet, ...rows.map(({ wallet }) => wallet)])];
}
