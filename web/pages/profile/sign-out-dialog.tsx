import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { disconnectWallet } from '../../wallet-gate.ts';
import { toastError } from '../../lib/toast-error.ts';

export function SignOutDialog({ userId, onClose }: { userId: number; onClose: () => void }) {
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (keepCurrent: boolean): Promise<void> => {
      await api.endSessions({ query: { keepCurrent: keepCurrent ? 'true' : 'false' } });
      if (!keepCurrent) return disconnectWallet();
      await queryClient.invalidateQueries({ queryKey: queries.sessions(userId).queryKey });
      toast({ title: 'Signed out', description: 'All other sessions have ended.', variant: 'success' });
    },
    onSuccess: onClose,
    onError: (error) => toastError('Sign-out failed', error, 'The sessions could not be ended'),
  });
  const busy = (keepCurrent: boolean) => (isPending && variables === keepCurrent ? 'Signing out…' : false);
  return (
    <Dialog
      open
      onOpenChange={(open) => (open || isPending ? undefined : onClose())}
      title="Sign out everywhere?"
      description="This signs out every browser that uses this wallet, including this one. Your votes, Snaps, and projects stay."
      actions={
        <>
          <Button variant="ghost" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="secondary" disabled={isPending} busy={busy(true)} onClick={() => mutate(true)}>
            Only other devices
          </Button>
          <Button disabled={isPending} busy={busy(false)} onClick={() => mutate(false)}>
            Sign out everywhere
          </Button>
        </>
      }
    />
  );
}
