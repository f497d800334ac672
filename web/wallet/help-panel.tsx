import { ArrowLeft, ExternalLink, KeyRound, Layers, ShieldCheck, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SuiNetwork } from '#shared/constants.ts';
import { external } from '../lib/paths.ts';
import { Button } from '../ui/button.tsx';
import type { HelpTopic } from './connect-flow.ts';

interface HelpPanelProps {
  topic: HelpTopic;
  network: SuiNetwork;
  /** Null leads back to the list. */
  onTopic: (topic: HelpTopic | null) => void;
}

/** For visitors without a wallet so far (S2.10). */
export function HelpPanel({ topic, network, onTopic }: HelpPanelProps) {
  return (
    <div className="grid gap-5">
      <h3 className="text-xl">{topic === 'what' ? 'What is a Wallet?' : 'Get Started'}</h3>
      {topic === 'what' ? <WhatIsAWallet /> : <GetStarted network={network} />}
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" className="button-edge" onClick={() => onTopic(null)}>
          <ArrowLeft aria-hidden size={18} /> Back to wallets
        </Button>
        {topic === 'what' ? <Button onClick={() => onTopic('start')}>Get Started</Button> : null}
      </div>
    </div>
  );
}

function Point({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-4">
      <span className="grid size-11 shrink-0 place-items-center rounded-lg bg-accent-soft text-link">
        <Icon aria-hidden size={22} />
      </span>
      <span className="grid gap-0.5">
        <strong className="font-semibold">{title}</strong>
        <span className="text-muted">{children}</span>
      </span>
    </li>
  );
}

function WhatIsAWallet() {
  return (
    <ul className="grid gap-4">
      <Point icon={KeyRound} title="Your login, without a password">
        A wallet keeps the key to your Sui account. You sign in by signing a short message: no e-mail, nothing to
        remember.
      </Point>
      <Point icon={Layers} title="A home for your tokens">
        SUI, Snaps, and collectibles live on the blockchain. The wallet shows them, and moves them when you approve.
      </Point>
      <Point icon={ShieldCheck} title="You decide, every time">
        Snapswipe only sees your address. Nothing is paid or moved unless you approve it in the wallet.
      </Point>
    </ul>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-4">
      <span
        aria-hidden
        className="display grid size-11 shrink-0 place-items-center rounded-full bg-raised text-lg text-link"
      >
        {number}
      </span>
      <span className="grid gap-0.5">
        <strong className="font-semibold">{title}</strong>
        <span className="text-muted">{children}</span>
      </span>
    </li>
  );
}

function GetStarted({ network }: { network: SuiNetwork }) {
  return (
    <div className="grid gap-4">
      {network === 'localnet' ? (
        <p className="rounded-lg bg-accent-soft p-4">
          This is a local demo. The Sandbox Wallet is built in: choose it from the list, nothing has to be installed.
        </p>
      ) : null}
      <ol className="grid gap-4">
        <Step number={1} title="Install a wallet">
          <a
            href="https://slush.app"
            {...external}
            className="inline-flex items-center gap-1 font-semibold text-link underline"
          >
            Slush
            <ExternalLink aria-hidden size={14} />
            <span className="sr-only">(opens in a new tab)</span>
          </a>{' '}
          comes from the makers of Sui and runs in Chrome, on iPhone and on Android. Any other Sui wallet works too.
        </Step>
        <Step number={2} title="Create your account">
          Sign in to Slush with Google or Apple, or keep a recovery phrase offline. Snapswipe never asks for it.
        </Step>
        <Step number={3} title="Come back and connect">
          Reload this page, press Connect Wallet, choose your wallet and sign in.
        </Step>
      </ol>
    </div>
  );
}
