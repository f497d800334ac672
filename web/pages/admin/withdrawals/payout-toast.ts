import type { PayoutBatch } from '#shared/contract/admin.ts';
import { plural } from '#shared/plural.ts';
import { toast } from '../../../lib/toast.ts';

/** Says what came of a payout. */
export function showPayout({ state, recipients, note }: PayoutBatch): void {
  if (state === 'paid') {
    const people = plural(recipients.length, 'withdrawal');
    toast({ title: 'Payout sent', description: `${people} paid and verified.`, variant: 'success' });
  } else if (state === 'sent') {
    toast({
      title: 'Payout on its way',
      description: 'The chain has not responded yet; the server continues automatically.',
    });
  } else {
    toast({ title: 'Payout failed', description: note ?? 'Nothing was paid', variant: 'destructive' });
  }
}
