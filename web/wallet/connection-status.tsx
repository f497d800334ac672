import type { UiWallet } from '@mysten/dapp-kit-react';
import { CircleAlert } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import type { ConnectFlow, ConnectState } from './connect-flow.ts';
import { WalletIcon } from './wallet-list.tsx';

type State = Extract<ConnectState<UiWallet>, { step: 'connecting' | 'connectFailed' }>;

export function ConnectionActions({ state, flow }: { state: State; flow: ConnectFlow<UiWallet> }) {
  const failed = state.step === 'connectFailed';
  return (
    <>
      <Button variant={failed ? 'ghost' : 'secondary'} onClick={() => flow.toChoice()}>
        Choose another wallet
      </Button>
      {failed ? <Button onClick={() => void flow.retry()}>Retry Connection</Button> : null}
    </>
  );
}

export function ConnectionStatus({ state }: { state: State }) {
  const { wallet } = state;
  const failed = state.step === 'connectFailed';
  return (
    <div className="grid grid-cols-1 justify-items-center gap-5 pt-4 text-center">
      <div className="relative grid size-28 place-items-center">
        {failed ? null : <span aria-hidden className="absolute inset-1 animate-ping rounded-full bg-glow" />}
        <span className="relative grid size-24 place-items-center rounded-full border border-line bg-raised shadow-card">
          <WalletIcon wallet={wallet} sizePx={52} />
        </span>
        {failed ? (
          <CircleAlert aria-hidden size={32} className="absolute end-1 bottom-1 rounded-full bg-surface text-text" />
        ) : null}
      </div>
      <div role={failed ? 'alert' : 'status'} className="grid max-w-full grid-cols-1 gap-1">
        <h3 className="text-lg">{failed ? 'Connection failed' : 'Opening a wallet'}</h3>
        <p className="line-clamp-2 font-semibold wrap-anywhere" title={wallet.name}>
          {wallet.name}
        </p>
        <p className="text-muted wrap-anywhere">{failed ? state.reason : 'Confirm connection in the wallet...'}</p>
      </div>
    </div>
  );
}
