import { plural } from '#shared/plural.ts';
import { Button } from '../../ui/button.tsx';
import { openConnectDialog, preloadWallet, useConnectDialog } from '../../wallet-gate.ts';

export function CountVotesButton({ count }: { count: number }) {
  const { loading } = useConnectDialog();
  return (
    <Button
      className="px-4!"
      aria-busy={loading || undefined}
      onClick={openConnectDialog}
      onPointerEnter={preloadWallet}
    >
      Sign in to count your {plural(count, 'vote')}
    </Button>
  );
}
