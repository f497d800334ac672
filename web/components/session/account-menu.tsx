import { Bell, ChartPie, LogOut, Moon, ShieldCheck, SquarePlus, Sun, Trophy, UserRound } from 'lucide-react';
import { Suspense } from 'react';
import type { User } from '#shared/contract/types.ts';
import { loadable } from '../../lib/loadable.tsx';
import { paths } from '../../lib/paths.ts';
import { toggleTheme, useTheme } from '../../lib/theme.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../ui/menu.tsx';
import { disconnectWallet } from '../../wallet-gate.ts';
import { Boundary } from '../states/boundary.tsx';
import { AccountButton } from './account-button.tsx';

const bell = loadable(async () => (await import('../notices/notice-bell.tsx')).NoticeBell);

function OwnBell({ user }: { user: User }) {
  return (
    <Boundary
      onRetry={bell.retry}
      renderFailure={(retry) => (
        <IconButton label="Notifications" onClick={retry}>
          <Bell aria-hidden size={21} />
        </IconButton>
      )}
    >
      <Suspense fallback={<span className="size-11 shrink-0" />}>
        <bell.Part userId={user.id} />
      </Suspense>
    </Boundary>
  );
}

function ThemeItem() {
  const isDark = useTheme() === 'dark';
  // Not by a style: arrow keys go over every item.
  const { clientWidth } = document.documentElement;
  if (clientWidth >= 25.5 * parseFloat(getComputedStyle(document.documentElement).fontSize)) return null;
  return (
    <MenuItem icon={isDark ? <Sun aria-hidden size={20} /> : <Moon aria-hidden size={20} />} onSelect={toggleTheme}>
      {isDark ? 'Light theme' : 'Dark theme'}
    </MenuItem>
  );
}

function OwnMenu({ user }: { user: User }) {
  return (
    <Menu renderTrigger={(props) => <AccountButton user={user} {...props} />}>
      <MenuLink href={paths.profile} icon={<UserRound aria-hidden size={20} />}>
        Profile
      </MenuLink>
      <MenuLink href={paths.portfolio} icon={<ChartPie aria-hidden size={20} />}>
        Portfolio
      </MenuLink>
      <MenuLink href={paths['submit-project']} icon={<SquarePlus aria-hidden size={20} />}>
        Submit Project
      </MenuLink>
      <MenuLink href={paths.leaderboard} icon={<Trophy aria-hidden size={20} />}>
        Leaderboard
      </MenuLink>
      {user.role ? (
        <MenuLink href={paths.admin} icon={<ShieldCheck aria-hidden size={20} />}>
          Admin Panel
        </MenuLink>
      ) : null}
      <ThemeItem />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden size={20} />} onSelect={() => void disconnectWallet()}>
        Disconnect Wallet
      </MenuItem>
    </Menu>
  );
}

export function AccountMenu({ user }: { user: User }) {
  return (
    <div className="flex min-w-0 items-center gap-1 slim:gap-0 @2xl:gap-2 @max-2xs:contents">
      <div className="flex shrink-0">
        <OwnBell key={user.id} user={user} />
      </div>
      <OwnMenu user={user} />
    </div>
  );
}
