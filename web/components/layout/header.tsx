import { SquarePlus, UserRound, Moon, Sun } from 'lucide-react';
import { Link } from 'wouter';
import { numberText } from '#shared/numbers/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { useLiveSession, useLiveUser } from '../../lib/session.ts';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { Logo, LogoMark } from './logo.tsx';
import { SnapCoin } from '../values/snap-coin.tsx';
import { type Menu, WalletControl } from '../session/wallet-control.tsx';
import { toggleTheme, useTheme } from '../../lib/theme.ts';

function BalanceLink() {
  const tokens = useLiveSession().stats?.tokenBalance ?? 0;
  return (
    <Link
      href={paths.portfolio}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-full px-2.5 font-bold transition-colors hover:bg-raised slim:gap-1 slim:px-1 slim:text-sm @2xl:px-3.5"
    >
      <SnapCoin className="size-5.5 slim:size-4.5" />
      <span>{numberText(tokens)}</span>
      <span className="sr-only font-medium text-muted @7xl:not-sr-only">Snaps</span>
    </Link>
  );
}

function ThemeToggle({ className }: { className: string | undefined }) {
  const dark = useTheme() === 'dark';
  return (
    <IconButton
      className={className}
      label={dark ? 'Switch to light theme' : 'Switch to dark theme'}
      onClick={toggleTheme}
    >
      {dark ? <Sun aria-hidden size={21} /> : <Moon aria-hidden size={21} />}
    </IconButton>
  );
}

export function Header({ menu }: { menu: Menu }) {
  const user = useLiveUser();
  return (
    <header className="header-frame">
      <div className="page header-row">
        <div className="flex items-center gap-6 @7xl:gap-10">
          <Link href={paths.home} aria-label="Snapswipe, home" className="rounded-md">
            <Logo className={user ? 'text-2xl @max-2xl:hidden' : 'text-lg @max-sm:hidden @2xl:text-2xl'} />
            <LogoMark className={user ? 'size-11 slim:size-9 @2xl:hidden' : 'size-11 @sm:hidden'} />
          </Link>
          <nav aria-label="Main" className={user ? '@max-5xl:hidden' : '@max-3xl:hidden'}>
            <Link
              href={paths.leaderboard}
              className="inline-flex min-h-11 items-center rounded-full px-3.5 font-semibold text-muted transition-colors hover:bg-raised hover:text-text"
            >
              Leaderboard
            </Link>
          </nav>
        </div>
        <div className="flex min-w-0 items-center gap-1 slim:gap-0 @2xl:gap-2 @max-2xs:contents">
          {user ? (
            <>
              <ButtonLink
                href={paths.profile}
                variant="ghost"
                className="px-3.5 @max-5xl:hidden @max-7xl:px-2.5 @max-7xl:[&_svg]:hidden"
              >
                <UserRound aria-hidden size={20} />
                Profile
              </ButtonLink>
              <ButtonLink
                href={paths['submit-project']}
                variant="secondary"
                className="px-4 @max-5xl:hidden @max-7xl:[&_svg]:hidden"
              >
                <SquarePlus aria-hidden size={20} />
                Submit Project
              </ButtonLink>
              <BalanceLink />
            </>
          ) : null}
          <ThemeToggle className={user ? '@max-[25.5rem]:hidden' : undefined} />
          <WalletControl menu={menu} />
        </div>
      </div>
    </header>
  );
}
