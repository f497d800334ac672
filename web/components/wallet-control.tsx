import { lazy, Suspense } from 'react';
import { useIsLive } from '../external-store.ts';
import { session, useLiveSession } from '../session.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { ConnectButton } from './connect-button.tsx';

const loadMenu = () => import('./account-menu.tsx');
const AccountMenu = lazy(async () => ({ default: (await loadMenu()).AccountMenu }));

/** For people whose session is cached, the menu is fetched beside the first page. A failed load is tried again when it is drawn. */
export function preloadAccountMenu(): void {
  if (session.get().user) loadMenu().catch(() => undefined);
}

/** Connect button, or the connected address with its menu (S2.10). The menu's code comes only for people who are signed in. */
export function WalletControl() {
  const { user } = useLiveSession();
  const isLive = useIsLive();
  if (!user) return <ConnectButton className="px-4 max-sm:[&_svg]:hidden sm:px-5" />;
  const placeholder = <Skeleton className="h-11 w-37 rounded-full max-[22rem]:w-27 sm:w-44" />;
  // The server has no code that is loaded on demand.
  if (!isLive) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <AccountMenu user={user} />
    </Suspense>
  );
}
