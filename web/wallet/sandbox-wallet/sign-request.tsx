import { TriangleAlert } from 'lucide-react';
import { formatSui } from '#shared/money/money.ts';
import { shortenAddress } from '#shared/text/text.ts';
import type { TransactionSummary } from './chain-access.ts';
import { Balances, type ReadBalances } from './balances.tsx';
import type { SandboxAccount } from './keyring.ts';

export function AccountLine({ account, balances }: { account: SandboxAccount; balances: ReadBalances }) {
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-muted">
      <span>{account.label}</span>
      <span className="font-mono text-sm" title={account.address}>
        {shortenAddress(account.address)}
      </span>
      <span className="basis-full text-sm">
        <Balances of={account.address} read={balances} />
      </span>
    </p>
  );
}

export function MessageRequest({ text }: { text: string }) {
  return (
    <>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text must be scrollable by keyboard
        tabIndex={0}
        aria-label="Message"
        className="rounded-lg bg-raised p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
      <p className="text-sm text-muted">Signing a message costs nothing and moves nothing.</p>
    </>
  );
}

const isSui = (coinType: string) => /^0x0*2::sui::SUI$/.test(coinType);

function amountText({ coinType, amount }: { coinType: string; amount: bigint }): string {
  return isSui(coinType) ? `${formatSui(amount)} SUI` : `${amount} × ${coinType.split('::').at(-1)}`;
}

export function TransactionRequest({ summary, sends }: { summary: TransactionSummary; sends: boolean }) {
  return (
    <>
      {summary.payments.map((payment) => (
        <div key={`${payment.recipient} ${payment.coinType}`} className="rounded-lg bg-raised p-4">
          <p className="text-sm text-muted">You pay</p>
          <p className="display text-2xl">{amountText(payment)}</p>
          <p className="mt-2 text-sm text-muted">to</p>
          <p className="font-mono text-sm wrap-anywhere">{payment.recipient}</p>
        </div>
      ))}
      {summary.payments.length === 0 ? (
        <p className="rounded-lg bg-raised p-4">This transaction makes no payment.</p>
      ) : null}
      <p className="flex justify-between gap-3 text-sm text-muted">
        <span>Network fee</span>
        <span>{formatSui(summary.feeMist)} SUI</span>
      </p>
      {summary.failure === null ? null : (
        <p role="alert" className="flex gap-2 rounded-lg bg-raised p-3 text-text">
          <TriangleAlert aria-hidden size={20} className="mt-0.5 shrink-0" /> This would fail: {summary.failure}
        </p>
      )}
      {sends ? <p className="text-sm text-muted">The wallet sends it to the chain right away.</p> : null}
    </>
  );
}
