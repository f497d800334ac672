import { plural } from '#shared/numbers/plural.ts';
import type { WaitingVote } from '../../offline/waiting-votes.ts';
import { Button } from '../../ui/button.tsx';
import { openConnectDialog, preloadWallet, useConnectDialog } from '../../wallet-gate.ts';

export function CountVotesButton({ votes }: { votes: readonly WaitingVote[] }) {
  const count = votes.filter(({ isCarried }) => !isCarried).length;
  const { loading } = useConnectDialog();
  return (
    <Button
      data-count
      className="px-4!"
      aria-busy={loading || undefined}
      onClick={openConnectDialog}
      onPointerEnter={preloadWallet}
    >
      {count > 0 ? `Sign in to count your ${plural(count, 'vote')}` : 'Sign in to choose what counts'}
    </Button>
  );
}
