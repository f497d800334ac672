import { useWalletConnection, type UiWallet } from '@mysten/dapp-kit-react';
import { CircleAlert, PenLine } from 'lucide-react';
import { isSameAddress, normalizeAddress } from '#chain/address.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { TermsLine } from '../components/values/terms-line.tsx';
import { Button } from '../ui/button.tsx';
import type { ConnectProps, ConnectState, SignInPhase } from './connect-flow.ts';
import { WalletIcon } from './wallet-list.tsx';
import { suiAccounts } from './wallets.ts';

type State = Extract<ConnectState<UiWallet>, { step: 'signIn' }>;

const BUSY: Partial<Record<SignInPhase, string>> = {
  preparing: 'Preparing...',
  signing: 'Confirm in the wallet...',
  checking: 'Checking the signature...',
};

export function SignInActions({ flow, state: { phase } }: Pick<ConnectProps, 'flow'> & { state: State }) {
  return (
    <>
      <p className="w-full px-0! text-center text-sm text-muted">
        <TermsLine doing="signing in" />
      </p>
      <Button size="lg" className="w-full" busy={BUSY[phase]} onClick={() => void flow.sign()}>
        <PenLine aria-hidden size={20} /> {phase === 'failed' ? 'Try Again' : 'Sign in'}
      </Button>
    </>
  );
}

export function SignInStep({ flow, network, state }: ConnectProps & { state: State }) {
  const { phase, wallet, challenge, reason } = state;
  const busy = BUSY[phase];
  return (
    <div className="grid grid-cols-1 gap-3">
      {reason === null ? null : (
        <p role="alert" className="flex gap-2 rounded-lg bg-raised p-3 text-text">
          <CircleAlert aria-hidden size={20} className="mt-0.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{reason}</span>
        </p>
      )}
      <AccountPicker flow={flow} network={network} state={state} />
      <p className="text-muted">
        One signature proves that this wallet is yours, and keeps you signed in for 30 days. It sends no transaction and
        costs nothing.
      </p>
      <output className="sr-only">{busy ? `${busy} ${phase === 'signing' ? wallet.name : ''}` : ''}</output>
      <div className="flex flex-wrap justify-between gap-x-3">
        {challenge === null && phase === 'failed' ? null : <Message text={challenge?.message ?? null} />}
        <Button variant="ghost" className="ms-auto -me-5" onClick={() => void flow.changeWallet()}>
          Use another wallet
        </Button>
      </div>
    </div>
  );
}

function Message({ text }: { text: string | null }) {
  return (
    <details className="open:basis-full">
      <summary className="inline-flex min-h-11 items-center text-link underline underline-offset-4">
        What you sign
      </summary>
      <pre
        aria-label="Message to sign"
        aria-busy={text === null}
        className={`min-h-11 rounded-lg border border-line bg-raised p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap ${text === null ? 'shimmer' : ''}`}
      >
        {text}
      </pre>
    </details>
  );
}

function AccountPicker({ flow, network, state }: ConnectProps & { state: State }) {
  const { wallet, address } = state;
  const connection = useWalletConnection();
  const accounts = suiAccounts(connection.wallet?.accounts ?? [], network);
  const isBusy = BUSY[state.phase] !== undefined;
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line py-2 pe-2 ps-3">
      <WalletIcon wallet={wallet} sizePx={36} className={accounts.length > 1 ? 'max-[22rem]:hidden' : ''} />
      <span className="grid min-w-0 flex-1 leading-tight">
        <span className="truncate font-semibold" title={wallet.name}>
          {wallet.name}
        </span>
        <span className="font-mono text-sm text-muted" title={address}>
          {shortenAddress(address)}
        </span>
      </span>
      {accounts.length > 1 ? (
        <select
          aria-label="Account"
          className="select-arrow min-h-11 max-w-36 truncate rounded-full border border-line bg-raised ps-3.5 text-sm font-semibold text-text"
          disabled={isBusy}
          value={accounts.find((account) => isSameAddress(account.address, address))?.address}
          onChange={(event) => {
            const chosen = normalizeAddress(event.target.value);
            if (chosen) void flow.changeAccount(chosen);
          }}
        >
          {accounts.map((account) => (
            <option key={account.address} value={account.address}>
              {account.label ?? shortenAddress(account.address)}
            </option>
          ))}
        </select>
      ) : null}
    </div>
  );
}
