import type { UiWallet } from '@mysten/dapp-kit-react';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { plural } from '#shared/numbers/plural.ts';
import { type ExternalStore, useStore } from '../lib/external-store.ts';
import { GuestVoteList } from '../offline/guest-vote-list.tsx';
import { isCounting, isCountingCarried, useListedVotes } from '../offline/guest-votes.ts';
import type { WaitingVote } from '../offline/waiting-votes.ts';
import { cn } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Switch } from '../ui/switch.tsx';
import { connectDialogOpen } from '../lib/wallet-state.ts';
import type { ConnectProps, ConnectState } from './connect-flow.ts';
import { ConnectionActions, ConnectionStatus } from './connection-status.tsx';
import { HelpActions, HelpPanel } from './help-panel.tsx';
import { SignInActions, SignInStep } from './sign-in-step.tsx';
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
      actions={actionsOf(flow, state)}
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
  const isOn = useStore(counting);
  if (votes.length === 0) return null;
  const counted = plural(votes.length, 'vote');
  const what = isCarried ? `${counted} that came with this link` : counted;
  const countsOn = votes.length === 1 ? 'counts' : 'count';
  const off = isCarried ? ': switch on only if you cast them' : votes.length === 1 ? ' waits here' : ' wait here';
  return (
    <section
      aria-label={isCarried ? 'Votes from a link' : 'Votes to count'}
      className="relative mb-3 rounded-lg bg-raised"
    >
      <details className="group">
        <summary className="flex min-h-14 cursor-pointer list-none items-center gap-2 rounded-lg py-2 pe-24 ps-3 text-sm font-semibold [&::-webkit-details-marker]:hidden">
          {what}
          {isOn ? ` ${countsOn} when you sign in` : off}
          <ChevronDown
            aria-hidden
            size={18}
            className="shrink-0 text-faint transition-transform group-open:rotate-180"
          />
        </summary>
        <div className={cn('px-3 pb-2', !isOn && 'opacity-55')}>
          <GuestVoteList votes={votes} isFixed />
        </div>
      </details>
      <span className="absolute top-1.5 end-2">
        <Switch label={`Count ${isCarried ? '' : 'my '}${what}`} checked={isOn} onChange={counting.set} />
      </span>
    </section>
  );
}

/** The buttons of a step; null for the list of wallets, whose rows are the buttons. */
function actionsOf(flow: ConnectProps['flow'], state: ConnectState<UiWallet>): ReactNode {
  switch (state.step) {
    case 'choose':
      return state.help ? <HelpActions topic={state.help} onTopic={(topic) => flow.toChoice(topic)} /> : null;
    case 'connecting':
    case 'connectFailed':
      return <ConnectionActions state={state} flow={flow} />;
    case 'signIn':
      return <SignInActions flow={flow} state={state} />;
    default:
      return null;
  }
}

function Step({ state, ...props }: ConnectProps & { state: ConnectState<UiWallet> }) {
  const { flow, network } = props;
  switch (state.step) {
    case 'choose':
      return state.help ? (
        <HelpPanel topic={state.help} network={network} />
      ) : (
        <WalletList flow={flow} network={network} />
      );
    case 'connecting':
    case 'connectFailed':
      return <ConnectionStatus state={state} />;
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
    // The last step may have been scrolled.
    frame.current?.parentElement?.scrollTo(0, 0);
    frame.current?.focus({ preventScroll: true });
  }, [step]);
  return (
    <div ref={frame} tabIndex={-1} data-quiet-focus key={step} className="rise">
      {children}
    </div>
  );
}
