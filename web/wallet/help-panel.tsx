import { ArrowLeft, KeyRound, Layers, ShieldCheck, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SuiNetwork } from '#shared/constants.ts';
import { Button } from '../ui/button.tsx';
import type { HelpTopic } from './connect-flow.ts';
import { useChoices } from './wallet-list.tsx';

interface HelpActionsProps {
  topic: HelpTopic;
  onTopic: (topic: HelpTopic | null) => void;
}

export function HelpActions({ topic, onTopic }: HelpActionsProps) {
  return (
    <>
      <Button variant="ghost" className="button-edge" onClick={() => onTopic(null)}>
        <ArrowLeft aria-hidden size={18} /> Back to wallets
      </Button>
      {topic === 'what' ? <Button onClick={() => onTopic('start')}>Get Started</Button> : null}
    </>
  );
}

export function HelpPanel({ topic, network }: { topic: HelpTopic; network: SuiNetwork }) {
  return (
    <div className="grid gap-5">
      <h3 className="text-lg">{topic === 'what' ? 'What is a Wallet?' : 'Get Started'}</h3>
      {topic === 'what' ? <WhatIsAWallet /> : <GetStarted network={network} />}
    </div>
  );
}

function Point({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-4">
      <span className="grid size-11 shrink-0 place-items-center rounded-lg bg-raised text-muted">
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
      <Point icon={KeyRound} title="Your login">
        You sign in with one message from your wallet. No e-mail, no password.
      </Point>
      <Point icon={Layers} title="Where you get paid">
        Only you control it.
      </Point>
      <Point icon={ShieldCheck} title="You approve everything">
        Snapswipe sees your address. Nothing is paid unless you approve it in the wallet.
      </Point>
    </ul>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-4">
      <span
        aria-hidden
        className="display grid size-11 shrink-0 place-items-center rounded-full bg-raised text-lg text-muted"
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

function FirstStep({ slushLink }: { slushLink: string | null }) {
  if (slushLink === null)
    return (
      <Step number={1} title="Choose Slush in the list">
        It is by the team behind Sui and opens in a window. Nothing to install. Any other Sui wallet works too: if you
        have just installed it, reload this page.
      </Step>
    );
  return (
    <Step number={1} title="Open this page in Slush">
      <a href={slushLink} className="inline-flex min-h-11 items-center font-semibold text-link underline">
        Open Slush
      </a>
      , the wallet by the team behind Sui. Without its app, its website opens.
    </Step>
  );
}

function GetStarted({ network }: { network: SuiNetwork }) {
  const { slushLink } = useChoices(network);
  if (network === 'localnet')
    return (
      <p className="rounded-lg bg-raised p-4">
        This is a local demo. The Sandbox Wallet is built in: choose it from the list. Nothing to install.
      </p>
    );
  return (
    <div className="grid gap-4">
      <ol className="grid gap-4">
        <FirstStep slushLink={slushLink} />
        <Step number={2} title="Sign in with Google or Apple">
          Slush makes your wallet. There is nothing to write down.
        </Step>
        <Step number={3} title="Sign one message">
          Press Connect Wallet on this page, choose Slush, and sign. It costs nothing.
        </Step>
      </ol>
      <p className="text-sm text-muted">
        Prefer not to use Google or Apple? Slush can give you a recovery phrase instead. Keep it offline: anyone who has
        it controls your wallet. Snapswipe never asks for it.
      </p>
    </div>
  );
}
