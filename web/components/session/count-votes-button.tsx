import { plural } from '#shared/plural.ts';
import { isSignInToCount } from '../../offline/guest-votes.ts';
import { Button } from '../../ui/button.tsx';
import { openConnectDialog, preloadWallet, useConnectDialog } from '../../wallet-gate.ts';

/** Opens the connect dialog for a sign-in that sends the visitor's votes (R76). */
export function signInToCount(): void {
  isSignInToCount.set(true);
  openConnectDialog();
}

export function CountVotesButton({ count }: { count: number }) {
  const { loading } = useConnectDialog();
  return (
    <Button
      className="px-4! whitespace-nowrap"
      aria-busy={loading || undefined}
      onClick={signInToCount}
      onPointerEnter={preloadWallet}
    >
      Sign in to count your {plural(count, 'vote')}
    </Button>
  );
}
