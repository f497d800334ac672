import type { GrantedRole, Role } from '#shared/roles.ts';
import type { Services } from '../services.ts';

/** The role of a wallet in the admin panel, as it is now; null without one (R54). */
export async function findRole({ db, config }: Services, walletAddress: string): Promise<Role | null> {
  if (walletAddress === config.adminWallet) return 'owner';
  const row = await db
    .selectFrom('admins')
    .select('role')
    .where('walletAddress', '=', walletAddress)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  return (row?.role ?? null) as GrantedRole | null;
}
