import { useWallets, type UiWallet } from '@mysten/dapp-kit-react';
import { ChevronRight, CircleHelp, Rocket, Wallet } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import type { ConnectFlow } from './connect-flow.ts';
import { orderWallets } from './wallets.ts';

interface WalletListProps {
  flow: ConnectFlow<UiWallet>;
}

/** Every wallet in this browser that speaks Wallet Standard and knows the network (S2.10). */
export function WalletList({ flow }: WalletListProps) {
  const wallets = orderWallets(useWallets());
  return (
    <div className="grid gap-5">
      {wallets.length === 0 ? (
        <NoWallets onGetStarted={() => flow.toChoice('start')} />
      ) : (
        <ul aria-label="Wallets" className="grid gap-2">
          {wallets.map((wallet, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- two extensions may carry the same name
            <li key={`${wallet.name} ${at}`}>
              <WalletButton wallet={wallet} onPick={() => void flow.pick(wallet)} />
            </li>
          ))}
        </ul>
      )}
      <div className="grid gap-2 border-t border-line pt-4">
        <p className="text-sm text-muted">New to wallets?</p>
        <div className="grid gap-2 sm:grid-cols-2">
          <Button variant="secondary" className="px-3!" onClick={() => flow.toChoice('what')}>
            <CircleHelp aria-hidden size={18} /> What is a Wallet?
          </Button>
          <Button variant="secondary" className="px-3!" onClick={() => flow.toChoice('start')}>
            <Rocket aria-hidden size={18} /> Get Started
          </Button>
        </div>
      </div>
    </div>
  );
}

function WalletButton({ wallet, onPick }: { wallet: UiWallet; onPick: () => void }) {
  return (
    <button
      type="button"
      onClick={onPick}
      className="group flex min-h-16 w-full items-center gap-4 rounded-lg border border-line bg-raised px-4 py-2 text-left transition-[border-color,background-color,transform] duration-150 hover:border-accent hover:bg-overlay active:translate-y-px"
    >
      <WalletIcon wallet={wallet} sizePx={40} />
      <span className="min-w-0 flex-1 truncate text-lg font-semibold">{wallet.name}</span>
      <ChevronRight
        aria-hidden
        size={20}
        className="shrink-0 text-faint transition-transform group-hover:translate-x-0.5 group-hover:text-link"
      />
    </button>
  );
}

/** The wallet's own picture; its name always stands beside it. */
export function WalletIcon({ wallet, sizePx }: { wallet: UiWallet; sizePx: number }) {
  return (
    <img
      src={wallet.icon}
      alt=""
      width={sizePx}
      height={sizePx}
      className="shrink-0 rounded-md object-contain"
      style={{ width: sizePx, height: sizePx }}
    />
  );
}

function NoWallets({ onGetStarted }: { onGetStarted: () => void }) {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed border-line-strong px-5 py-8 text-center">
      <Wallet aria-hidden size={36} className="text-link" />
      <p className="text-lg font-semibold">No Sui wallet found in this browser</p>
      <p className="text-muted">Install one, then reload this page. It takes about two minutes.</p>
      <Button onClick={onGetStarted}>Show me how</Button>
    </div>
  );
}
