import { ChartPie, LogOut, ShieldCheck, SquarePlus, Trophy, UserRound } from 'lucide-react';
import type { User } from '#shared/contract/types.ts';
import { paths } from '../../lib/paths.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../ui/menu.tsx';
import { disconnectWallet } from '../../wallet-gate.ts';
import { AccountButton } from './account-button.tsx';

/** Menu of the connected wallet (S2.10), with the leaderboard for phones, whose header has no room for it; the admin's has one line more. */
export function AccountMenu({ user }: { user: User }) {
  const isAdmin = useSiteConfig()?.adminWallet.toLowerCase() === user.walletAddress.toLowerCase();
  return (
    <Menu renderTrigger={(props) => <AccountButton user={user} {...props} />}>
      <MenuLink href={paths.profile} icon={<UserRound aria-hidden size={20} />}>
        Profile
      </MenuLink>
      <MenuLink href={paths.portfolio} icon={<ChartPie aria-hidden size={20} />}>
        Portfolio
      </MenuLink>
      <MenuLink href={paths.submitProject} icon={<SquarePlus aria-hidden size={20} />}>
        Submit Project
      </MenuLink>
      <MenuLink href={paths.leaderboard} icon={<Trophy aria-hidden size={20} />}>
        Leaderboard
      </MenuLink>
      {isAdmin ? (
        <MenuLink href={paths.admin} icon={<ShieldCheck aria-hidden size={20} />}>
          Admin Panel
        </MenuLink>
      ) : null}
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden size={20} />} onSelect={() => void disconnectWallet()}>
        Disconnect Wallet
      </MenuItem>
    </Menu>
  );
}
