import { SquarePlus, UserRound, Moon, Sun } from 'lucide-react';
import { Link } from 'wouter';
import { numberText } from '#shared/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { useLiveSession, useLiveUser } from '../../lib/session.ts';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { Logo, LogoMark } from './logo.tsx';
import { SnapCoin } from '../values/snap-coin.tsx';
import { WalletControl } from '../session/wallet-control.tsx';
import { toggleTheme, useTheme } from '../../lib/theme.ts';

function BalanceLink() {
  const tokens = useLiveSession().stats?.tokenBalance ?? 0;
  return (
    <Link
      href={paths.portfolio}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-full px-2.5 font-bold transition-colors hover:bg-raised max-[22rem]:gap-1 max-[22rem]:px-1 max-[22rem]:text-sm sm:px-3.5"
    >
      <SnapCoin className="size-5.5 max-[22rem]:size-4.5" />
      <span>{numberText(tokens)}</span>
      <span className="sr-only font-medium text-muted xl:not-sr-only">Snaps</span>
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

export function Header() {
  const user = useLiveUser();
  return (
    <header className="page header-height flex items-center justify-between gap-2">
      <div className="flex min-w-0 items-center gap-6 xl:gap-10">
        <Link href={paths.home} aria-label="Snapswipe, home" className="rounded-md">
          <Logo
            className={
              user ? 'text-2xl max-sm:hidden xl:text-3xl' : 'text-lg max-[23rem]:hidden sm:text-2xl lg:text-3xl'
            }
          />
          <LogoMark className={user ? 'size-11 max-[22rem]:size-9 sm:hidden' : 'size-11 min-[23rem]:hidden'} />
        </Link>
        <nav aria-label="Main" className={user ? 'max-lg:hidden' : 'max-md:hidden'}>
          <Link
            href={paths.leaderboard}
            className="inline-flex min-h-11 items-center rounded-full px-3.5 font-semibold text-muted transition-colors hover:bg-raised hover:text-text"
          >
            Leaderboard
          </Link>
        </nav>
      </div>
      <div className="flex min-w-0 items-center gap-1 max-[22rem]:gap-0 sm:gap-2">
        {user ? (
          <>
            <ButtonLink
              href={paths.profile}
              variant="ghost"
              className="px-3.5 max-lg:hidden max-xl:px-2.5 max-xl:[&_svg]:hidden"
            >
              <UserRound aria-hidden size={20} />
              Profile
            </ButtonLink>
            <ButtonLink
              href={paths['submit-project']}
              variant="secondary"
              className="px-4 max-lg:hidden max-xl:[&_svg]:hidden"
            >
              <SquarePlus aria-hidden size={20} />
              Submit Project
            </ButtonLink>
            <BalanceLink />
          </>
        ) : null}
        <ThemeToggle className={user ? 'max-[25.5rem]:hidden' : undefined} />
        <WalletControl />
      </div>
    </header>
  );
}
