import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowUpRight, CirclePause } from 'lucide-react';
import { useRef, useState } from 'react';
import { MIN_WITHDRAWAL_TOKENS } from '#shared/constants.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { SnapCoin } from '../../components/values/snap-coin.tsx';
import { SnapWorth } from '../../components/values/snap-worth.tsx';
import { queries } from '../../lib/queries.ts';
import { pagesOf } from '../../lib/use-list.ts';
import { useSession } from '../../lib/session.ts';
import { Field, Input } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PayoutTerms } from './payout-terms.tsx';
import { useWithdraw } from './use-withdraw.ts';

interface WithdrawDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  balance: number;
}

function PausedNotice() {
  return (
    <output className="flex gap-3 rounded-lg bg-raised p-4 text-text">
      <CirclePause aria-hidden size={22} className="mt-0.5 shrink-0" />
      <span>
        <strong className="block">Withdrawals are paused</strong>
        You keep earning by voting; your Snaps stay where they are.
      </span>
    </output>
  );
}

export function WithdrawDialog({ open, onOpenChange, balance }: WithdrawDialogProps) {
  const { user } = useSession();
  const { data } = useInfiniteQuery({
    ...pagesOf(queries.withdrawals(user?.id ?? 0)),
    enabled: user !== null,
    refetchOnMount: 'always',
  });
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { request, isBusy } = useWithdraw(balance);
  const amountRef = useRef<HTMLInputElement>(null);
  const isPaused = data?.pages.at(0)?.paused ?? false;

  async function submit(): Promise<void> {
    const found = await request(text);
    if (found === null) onOpenChange(false);
    else setError(found);
  }

  return (
    <FormDialog
      open={open}
      title="Withdraw Tokens"
      description={user ? `To your wallet ${shortenAddress(user.walletAddress)}` : undefined}
      action={
        <>
          Withdraw Tokens
          <ArrowUpRight aria-hidden size={18} />
        </>
      }
      busy={isBusy ? 'Requesting...' : false}
      disabled={isPaused}
      focusRef={isPaused ? undefined : amountRef}
      className="gap-5 pt-1"
      onClose={() => onOpenChange(false)}
      onSubmit={() => void submit()}
    >
      {isPaused ? <PausedNotice /> : null}
      <Field
        label="Amount"
        error={error}
        hint={`At least ${MIN_WITHDRAWAL_TOKENS}. Held until paid, returned if declined.`}
        aside={
          <button
            type="button"
            disabled={isPaused || isBusy}
            className="min-h-11 rounded-full px-3 font-semibold text-link hover:bg-raised disabled:opacity-55"
            onClick={() => {
              setText(String(balance));
              setError(null);
            }}
          >
            Max
          </button>
        }
      >
        {(control) => (
          <Input
            {...control}
            ref={amountRef}
            inputMode="numeric"
            autoComplete="off"
            placeholder={String(MIN_WITHDRAWAL_TOKENS)}
            disabled={isPaused || isBusy}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setError(null);
            }}
          />
        )}
      </Field>
      <p className="flex items-center gap-3 rounded-lg border border-line bg-raised p-4">
        <SnapCoin className="size-8" />
        <span>
          <strong className="display block text-2xl leading-tight">{balance.toLocaleString()}</strong>
          <span className="text-sm text-muted">Snaps available</span>
        </span>
      </p>
      <SnapWorth className="text-sm text-muted" />
      {user ? <PayoutTerms userId={user.id} /> : null}
    </FormDialog>
  );
}
