import { Suspense } from 'react';
import type { User } from '#shared/contract/types.ts';
import { shortenAddress } from '#shared/text/text.ts';
import type { Loadable } from '../../lib/loadable.tsx';
import { Button } from '../../ui/button.tsx';
import { useIsLive } from '../../lib/external-store.ts';
import { useLiveUser } from '../../lib/session.ts';
import { Boundary } from '../states/boundary.tsx';
import { ConnectButton } from './connect-button.tsx';

export type Menu = Loadable<{ user: User }>;

export function WalletControl({ menu }: { menu: Menu }) {
  const user = useLiveUser();
  const isLive = useIsLive();
  if (!user) return <ConnectButton className="px-4 @max-2xl:[&_svg]:hidden @2xl:px-5" />;
  const placeholder = <span title={shortenAddress(user.walletAddress)} className="header-place" />;
  // The server has no code that is loaded on demand.
  if (!isLive) return placeholder;
  return (
    <Boundary
      onRetry={menu.retry}
      renderFailure={(retry) => (
        <Button variant="secondary" onClick={retry}>
          {shortenAddress(user.walletAddress)}
        </Button>
      )}
    >
      <Suspense fallback={placeholder}>
        <menu.Part user={user} />
      </Suspense>
    </Boundary>
  );
}
