import { getWalletUniqueIdentifier, useWallets, type UiWallet } from '@mysten/dapp-kit-react';
import { Ban, ChevronRight, CircleHelp, Rocket, Smartphone } from 'lucide-react';
import { GUEST_CARDS, type SuiNetwork } from '#shared/constants.ts';
import { plural } from '#shared/numbers/plural.ts';
import { carriedFragment } from '../offline/carried-votes.ts';
import { useVotesToCount } from '../offline/guest-votes.ts';
import { Button } from '../ui/button.tsx';
import type { ConnectFlow } from './connect-flow.ts';
import { DrawnPicture, Picture } from '../ui/picture.tsx';
import { cn } from '../ui/class-names.ts';
import { choicesOf, SLUSH_WEB_ID, type Choices } from './phone.ts';
import { canSignIn, orderWallets } from './wallets.ts';

interface WalletListProps {
  flow: ConnectFlow<UiWallet>;
  network: SuiNetwork;
}

export function WalletList({ flow, network }: WalletListProps) {
  const { slushLink, wallets } = useChoices(network);
  return (
    <div className="grid grid-cols-1 gap-5">
      <ul aria-label="Wallets" className="grid grid-cols-1 gap-2">
        {slushLink === null ? null : (
          <li>
            <SlushLink href={slushLink} />
          </li>
        )}
        {wallets.map((wallet, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- two extensions may carry the same name
          <li key={`${wallet.name} ${at}`}>
            <WalletButton wallet={wallet} onPick={() => void flow.pick(wallet)} />
          </li>
        ))}
      </ul>
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

export function useChoices(network: SuiNetwork): Choices<UiWallet> {
  const wallets = orderWallets(useWallets());
  return choicesOf({
    wallets,
    idOf: getWalletUniqueIdentifier,
    canSignIn,
    device: navigator,
    network,
    page: location.href,
    fragment: carriedFragment(useVotesToCount()),
  });
}

const ROW = 'group flex min-h-16 w-full items-center gap-4 rounded-lg border border-line px-4 py-2 text-start';
const PRESSED =
  'bg-raised transition-[border-color,background-color,transform] duration-150 hover:border-accent hover:bg-overlay active:translate-y-px';

function carriedWords(count: number): string {
  if (count === 0) return 'In its app, or on its website.';
  const votes = count > GUEST_CARDS ? `newest ${GUEST_CARDS} votes` : plural(count, 'vote');
  return `Your ${votes} ${count === 1 ? 'comes' : 'come'} along. Switch ${count === 1 ? 'it' : 'them'} on there.`;
}

function SlushLink({ href }: { href: string }) {
  const { length } = useVotesToCount();
  return (
    <a href={href} className={cn(ROW, PRESSED)}>
      <span aria-hidden className="grid size-10 shrink-0 place-items-center rounded-md bg-raised text-muted">
        <Smartphone size={24} />
      </span>
      <span className="grid min-w-0 flex-1">
        <span className="text-lg font-semibold">Open this page in Slush</span>
        <span className="text-sm text-muted">{carriedWords(length)}</span>
      </span>
      <Next />
    </a>
  );
}

const Next = () => (
  <ChevronRight
    aria-hidden
    size={20}
    className="shrink-0 text-faint transition-transform group-hover:translate-x-0.5 group-hover:text-link"
  />
);

function noteOn(wallet: UiWallet): string | null {
  if (!canSignIn(wallet)) return 'This wallet cannot sign messages, so it cannot sign you in.';
  return getWalletUniqueIdentifier(wallet) === SLUSH_WEB_ID ? 'With Google or Apple. Nothing to install.' : null;
}

/** A wallet to choose. One that cannot sign in shows the reason instead; it stays in reach of the keyboard, so that it can be read. */
function WalletButton({ wallet, onPick }: { wallet: UiWallet; onPick: () => void }) {
  const isUsable = canSignIn(wallet);
  const note = noteOn(wallet);
  return (
    <button
      type="button"
      aria-disabled={!isUsable || undefined}
      onClick={() => {
        if (isUsable) onPick();
      }}
      className={cn(ROW, isUsable ? PRESSED : 'cursor-not-allowed border-dashed')}
    >
      <WalletIcon wallet={wallet} sizePx={40} className={isUsable ? '' : 'grayscale'} />
      <span className="grid min-w-0 flex-1">
        <span title={wallet.name} className={cn('truncate text-lg font-semibold', !isUsable && 'text-muted')}>
          {wallet.name}
        </span>
        {note === null ? null : <span className="text-sm text-muted">{note}</span>}
      </span>
      {isUsable ? <Next /> : <Ban aria-hidden size={20} className="shrink-0 text-faint" />}
    </button>
  );
}

interface WalletIconProps {
  wallet: UiWallet;
  sizePx: number;
  className?: string;
}

export function WalletIcon({ wallet, sizePx, className }: WalletIconProps) {
  const shape = cn('shrink-0 rounded-md', className);
  return (
    <Picture
      src={wallet.icon}
      alt=""
      width={sizePx}
      height={sizePx}
      className={cn(shape, 'object-contain')}
      style={{ width: sizePx, height: sizePx }}
      fallback={<DrawnPicture name={wallet.name} alt="" width={sizePx} height={sizePx} className={shape} />}
    />
  );
}
