import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/api-error.ts';
import { useStore } from '../../lib/external-store.ts';
import { useSession } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { connectDialogOpen } from '../../lib/wallet-state.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { deleteAccount, type DeletionPhase } from './delete-account.ts';

const BUSY: Record<DeletionPhase, string> = {
  preparing: 'Preparing…',
  signing: 'Confirm in the wallet…',
  deleting: 'Deleting…',
};

function Consequences({ snaps }: { snaps: number }) {
  return (
    <div className="grid gap-4">
      <section className="grid gap-1">
        <h3 className="font-semibold">What goes</h3>
        <ul className="list-disc ps-5 text-muted">
          <li>Your name, picture, links, notifications, and activity</li>
          <li>
            {snaps > 0 ? `Your ${snaps} Snaps: they are burned. Withdraw them first.` : 'Your place among the voters'}
          </li>
          <li>Your sessions, on every device</li>
        </ul>
      </section>
      <section className="grid gap-1">
        <h3 className="font-semibold">What stays</h3>
        <ul className="list-disc ps-5 text-muted">
          <li>Your votes and balances, under a number that cannot be traced back to you</li>
          <li>Your listings, until they end, without an owner</li>
          <li>What is on the Sui chain, which nobody can delete</li>
        </ul>
      </section>
      <p>
        You can sign in with this wallet again, to a new, empty account. On projects that you voted on, it can vote
        again in their next listing period.
      </p>
    </div>
  );
}

export function DeleteAccountDialog({ userId, onClose }: { userId: number; onClose: () => void }) {
  const [removeReviews, setRemoveReviews] = useState(false);
  const [phase, setPhase] = useState<DeletionPhase>('preparing');
  const snaps = useSession().stats?.tokenBalance ?? 0;
  const isConnecting = useStore(connectDialogOpen);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteAccount(userId, removeReviews, setPhase),
    onSuccess: () =>
      toast({ title: 'Account deleted', description: 'You are signed out everywhere.', variant: 'success' }),
  });
  return (
    <Dialog
      open={!isConnecting}
      onOpenChange={(open) => (open || isPending ? undefined : onClose())}
      title="Delete your account?"
      description="This cannot be undone. Your wallet signs it, which sends no transaction and costs nothing."
      actions={
        <>
          <Button variant="ghost" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button busy={isPending ? BUSY[phase] : false} onClick={() => mutate()}>
            Delete account
          </Button>
        </>
      }
    >
      <Consequences snaps={snaps} />
      <div className="mt-4 flex min-h-11 items-center justify-between gap-4">
        <span id="remove-reviews">Also remove my reviews; otherwise they stay without a name</span>
        <Switch labelledBy="remove-reviews" checked={removeReviews} disabled={isPending} onChange={setRemoveReviews} />
      </div>
      {error ? (
        <p role="alert" className="mt-4 flex gap-2 rounded-lg bg-raised p-3 text-text">
          <CircleAlert aria-hidden size={20} className="mt-0.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{errorText(error, 'Your account could not be deleted')}</span>
        </p>
      ) : null}
    </Dialog>
  );
}
