import type { UiWallet } from '@mysten/dapp-kit-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { plural } from '#shared/plural.ts';
import { type ExternalStore, useStore } from '../lib/external-store.ts';
import { GuestVoteList } from '../offline/guest-vote-list.tsx';
import { isCounting, isCountingCarried, useListedVotes } from '../offline/guest-votes.ts';
import type { WaitingVote } from '../offline/waiting-votes.ts';
import { cn } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Switch } from '../ui/switch.tsx';
import { connectDialogOpen } from '../lib/wallet-state.ts';
import type { ConnectProps, ConnectState } from './connect-flow.ts';
import { ConnectionStatus } from './connection-status.tsx';
import { HelpPanel } from './help-panel.tsx';
import { SignInStep } from './sign-in-step.tsx';
import { WalletList } from './wallet-list.tsx';

export function ConnectDialog(props: ConnectProps) {
  const { flow } = props;
  const open = useStore(connectDialogOpen);
  const state = useStore(flow);
  const isDone = state.step === 'done';
  useEffect(() => {
    if (isDone) connectDialogOpen.set(false);
  }, [isDone]);
  return (
    <Dialog
      open={open !== false}
      onOpenChange={(next) => {
        if (!next) flow.cancel();
        connectDialogOpen.set(next);
      }}
      title={state.step === 'signIn' || isDone ? 'Sign in' : 'Connect Wallet'}
      className="sm:w-[min(27rem,calc(100vw-3rem))]!"
    >
      <StepFrame step={state.step === 'choose' ? `choose ${state.help}` : state.step}>
        {typeof open === 'string' && !isDone ? <p className="mb-4 text-muted">{open}</p> : null}
        {state.step === 'signIn' || (state.step === 'choose' && !state.help) ? <VotesToCount /> : null}
        <Step {...props} state={state} />
      </StepFrame>
    </Dialog>
  );
}

function VotesToCount() {
  const votes = useListedVotes();
  return (
    <>
      <VoteGroup votes={votes.filter(({ isCarried }) => !isCarried)} counting={isCounting} />
      <VoteGroup isCarried votes={votes.filter(({ isCarried }) => isCarried)} counting={isCountingCarried} />
    </>
  );
}

interface VoteGroupProps {
  votes: readonly WaitingVote[];
  counting: ExternalStore<boolean>;
  isCarried?: boolean;
}

function VoteGroup({ votes, counting, isCarried = false }: VoteGroupProps) {
  const id = useId();
  const isOn = useStore(counting);
  if (votes.length === 0) return null;
  const counted = plural(votes.length, 'vote');
  const off = isCarried ? 'Switch this on only if you cast them.' : 'They keep waiting in this browser.';
  return (
    <section
      aria-label={isCarried ? 'Votes from a link' : 'Votes to count'}
      className="mb-4 rounded-lg bg-accent-soft py-2 pe-3 ps-4"
    >
      <div className="flex items-center justify-between gap-3">
        <p id={id} className="font-semibold">
          {isCarried ? `Count ${counted} that came with this link` : `Count my ${counted}`}
        </p>
        <Switch labelledBy={id} checked={isOn} onChange={counting.set} />
      </div>
      <p className="text-sm text-muted">{isOn ? 'They are sent once you have signed in.' : off}</p>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        className={cn('mt-1 max-h-29 overflow-y-auto rounded-md', !isOn && 'opacity-55')}
      >
        <GuestVoteList votes={votes} isFixed />
      </div>
    </section>
  );
}

function Step({ state, ...props }: ConnectProps & { state: ConnectState<UiWallet> }) {
  const { flow, network } = props;
  switch (state.step) {
    case 'choose':
      return state.help ? (
        <HelpPanel topic={state.help} network={network} onTopic={(topic) => flow.toChoice(topic)} />
      ) : (
        <WalletList flow={flow} network={network} />
      );
    case 'connecting':
    case 'connectFailed':
      return <ConnectionStatus state={state} flow={flow} />;
    case 'signIn':
      return <SignInStep {...props} state={state} />;
    default:
      return <output>You are signed in.</output>;
  }
}

function StepFrame({ step, children }: { step: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    frame.current?.focus();
  }, [step]);
  return (
    <div ref={frame} tabIndex={-1} data-quiet-focus key={step} className="rise">
      {children}
    </div>
  );
}
