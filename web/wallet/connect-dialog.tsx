import type { UiWallet } from '@mysten/dapp-kit-react';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
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
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  if (votes.length === 0) return null;
  const counted = plural(votes.length, 'vote');
  const what = isCarried ? `Count ${counted} that came with this link` : `Count my ${counted}`;
  const off = isCarried ? 'Switch on only if you cast them' : `${votes.length === 1 ? 'It waits' : 'They wait'} here`;
  return (
    <section aria-label={isCarried ? 'Votes from a link' : 'Votes to count'} className="mb-3 rounded-lg bg-raised">
      <div className="flex min-h-16 items-center gap-4 py-2 pe-4 ps-3">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-labelledby={`${listId}-what`}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-md text-start leading-tight"
        >
          <span className="min-w-0">
            <span id={`${listId}-what`} className="block font-semibold">
              {what}
            </span>
            <span className="block text-sm text-muted">{isOn ? 'When you sign in' : off}</span>
          </span>
          <ChevronDown
            aria-hidden
            size={18}
            className={cn('shrink-0 text-faint transition-transform', isOpen && 'rotate-180')}
          />
        </button>
        <Switch labelledBy={`${listId}-what`} checked={isOn} onChange={counting.set} />
      </div>
      <div id={listId} hidden={!isOpen} className={cn('px-3 pb-2', !isOn && 'opacity-55')}>
        <GuestVoteList votes={votes} isFixed />
      </div>
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
