import { FileCheck } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import type { ToastOptions } from '../../../lib/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { useAct } from '../act.tsx';
import { recordByHand } from './payout.ts';

/** On a site without a coin, which cannot ask the chain what was paid. */
export function ByHand({ withdrawalIds }: { withdrawalIds: number[] }) {
  const [digest, setDigest] = useState('');
  const [hasCompared, setHasCompared] = useState<boolean | null>(null);
  const { mutate, isPending } = useAct<ToastOptions>({
    call: async () => {
      try {
        return await recordByHand(withdrawalIds, { digest: digest.trim(), hasCompared: hasCompared === true });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'restored') setHasCompared(false);
        throw error;
      }
    },
    done: (words) => words,
    failedTitle: 'Payout failed',
    failed: 'The payout could not be recorded',
  });
  return (
    <form
      className="grid grid-cols-1 gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <p className="text-sm text-text">
        No payout coin is configured (SNAPS_COIN_TYPE): pay by hand, then record the digest of your transaction. It
        cannot be verified on chain.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <Field className="min-w-0 flex-1 basis-72" label="Digest of the transaction that paid them">
          {(control) => (
            <Input
              {...control}
              className="font-mono"
              value={digest}
              onChange={(event) => setDigest(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          variant="secondary"
          busy={isPending ? 'Recording...' : false}
          disabled={withdrawalIds.length === 0 || digest.trim() === '' || hasCompared === false}
        >
          <FileCheck aria-hidden size={18} />
          Record digest
        </Button>
      </div>
      {hasCompared === null ? null : (
        <label className="flex min-h-11 items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="size-5"
            checked={hasCompared}
            onChange={(event) => setHasCompared(event.target.checked)}
          />
          I have compared these withdrawals with what the wallet paid since the restore
        </label>
      )}
    </form>
  );
}
