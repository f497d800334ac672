import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { Approval, ApprovalRequest } from './approvals.ts';
import { ConnectRequest } from './connect-request.tsx';
import { SANDBOX_ICON } from './icon.ts';
import { AccountLine, MessageRequest, TransactionRequest } from './sign-request.tsx';

interface ApprovalDialogProps {
  request: ApprovalRequest;
  onDecision: (approval: Approval | null) => void;
}

const WORDS = {
  connect: { title: 'Connect to Snapswipe?', approve: 'Approve' },
  message: { title: 'Sign this message?', approve: 'Sign' },
  transaction: { title: 'Sign this transaction?', approve: 'Sign' },
} as const;

export function ApprovalDialog({ request, onDecision }: ApprovalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState(request.kind === 'connect' ? request.chosen : request.account.address);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const { title, approve } = WORDS[request.kind];
  return (
    <dialog
      ref={dialog}
      aria-labelledby="sandbox-wallet-title"
      className="fixed inset-x-0 top-auto bottom-0 m-0 overflow-hidden max-h-[92dvh] w-full max-w-none flex-col rounded-t-2xl border border-line-strong bg-overlay p-0 text-text shadow-float backdrop:bg-scrim open:flex sm:inset-x-auto sm:top-6 sm:end-6 sm:bottom-auto sm:w-96 sm:rounded-2xl"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Keep the Escape from the page's dialog below.
        event.stopPropagation();
        event.preventDefault();
        onDecision(null);
      }}
      onCancel={(event) => {
        event.preventDefault();
        onDecision(null);
      }}
    >
      <header className="flex items-center gap-3 border-b border-line bg-raised px-5 py-3">
        <img src={SANDBOX_ICON} alt="" width={32} height={32} className="rounded-md" />
        <p className="leading-tight font-semibold">
          Sandbox Wallet
          <span className="block text-sm font-normal text-text">Play money on your own machine</span>
        </p>
      </header>
      <div className="grid min-h-0 grid-cols-1 gap-4 overflow-y-auto overscroll-contain p-5">
        <h2 id="sandbox-wallet-title" className="text-lg">
          {title}
        </h2>
        {request.kind === 'connect' ? (
          <ConnectRequest request={request} chosen={chosen} onChoose={setChosen} />
        ) : (
          <AccountLine account={request.account} balances={request.balances} />
        )}
        {request.kind === 'message' ? <MessageRequest text={request.text} /> : null}
        {request.kind === 'transaction' ? <TransactionRequest summary={request.summary} sends={request.sends} /> : null}
      </div>
      <footer className="grid grid-cols-2 gap-3 border-t border-line-strong px-5 py-4">
        <Button variant="secondary" onClick={() => onDecision(null)}>
          Reject
        </Button>
        <Button onClick={() => onDecision({ address: chosen })}>{approve}</Button>
      </footer>
    </dialog>
  );
}
