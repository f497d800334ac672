import type { UiWallet } from '@mysten/dapp-kit-react';
import type { SuiNetwork } from '#shared/constants.ts';
import type { Challenge, Session } from '#shared/contract/auth.ts';
import { errorText } from '../lib/api-error.ts';
import { createStore } from '../lib/external-store.ts';
import { isUserRejection, walletErrorText } from './errors.ts';
import type { SignInStart } from './sign-in.ts';

export type HelpTopic = 'what' | 'start';
export type SignInPhase = 'preparing' | 'ready' | 'signing' | 'checking' | 'failed';

interface SignInStep<W> {
  step: 'signIn';
  phase: SignInPhase;
  wallet: W;
  address: string;
  challenge: Challenge | null;
  reason: string | null;
}

export type ConnectState<W> =
  | { step: 'choose'; help: HelpTopic | null }
  | { step: 'connecting'; wallet: W }
  | { step: 'connectFailed'; wallet: W; reason: string }
  | SignInStep<W>
  | { step: 'done'; address: string };

export interface ConnectDeps<W> {
  connect: (wallet: W) => Promise<string>;
  connected: () => { wallet: W; address: string } | null;
  selectAccount: (address: string) => void;
  disconnect: () => Promise<void>;
  signMessage: (text: string, address: string) => Promise<string>;
  startSignIn: (address: string) => Promise<SignInStart>;
  finishSignIn: (address: string, nonce: string, signature: string) => Promise<Session>;
  /** `isUnasked`: the cookie's session, before the visitor pressed anything in the dialog. */
  onSession: (session: Session, isUnasked: boolean) => void;
  serverNow: () => number;
  logError: (message: string, error: unknown) => void;
}

/** A challenge that is about to expire would be rejected by the time the wallet has responded. */
const MARGIN_MS = 15_000;

export function createConnectFlow<W>(deps: ConnectDeps<W>) {
  const store = createStore<ConnectState<W>>({ step: 'choose', help: null });
  let turn = 0;

  /** Runs `work` and gives its outcome to the handlers, unless another action came first. */
  async function take<T>(
    work: Promise<T>,
    done: (value: T) => unknown,
    failed: (error: unknown) => void,
  ): Promise<void> {
    turn += 1;
    const mine = turn;
    let outcome: { value: T } | { error: unknown };
    try {
      outcome = { value: await work };
    } catch (error) {
      outcome = { error };
    }
    if (mine !== turn) return;
    if ('value' in outcome) await done(outcome.value);
    else failed(outcome.error);
  }

  const isFresh = (challenge: Challenge | null): challenge is Challenge =>
    challenge !== null && Date.parse(challenge.expiresAt) - MARGIN_MS > deps.serverNow();

  function finish(session: Session, isUnasked = false): void {
    deps.onSession(session, isUnasked);
    store.set({ step: 'done', address: session.user.walletAddress });
  }

  type Next = (ready: SignInStep<W>) => unknown;

  async function prepare(at: SignInStep<W>, next: Next, isUnasked = false): Promise<void> {
    store.set({ ...at, phase: 'preparing', challenge: null, reason: null });
    await take(
      deps.startSignIn(at.address),
      (start) => ('session' in start ? finish(start.session, isUnasked) : next({ ...at, challenge: start.challenge })),
      (error) => {
        deps.logError('The sign-in message could not be fetched', error);
        store.set({ ...at, phase: 'failed', challenge: null, reason: errorText(error, 'Please try again.') });
      },
    );
  }

  const show = (ready: SignInStep<W>) => store.set({ ...ready, phase: 'ready', reason: null });

  async function check(at: SignInStep<W>, challenge: Challenge, signature: string): Promise<void> {
    // The nonce is used up now, whatever the server says.
    const spent: SignInStep<W> = { ...at, challenge: null };
    store.set({ ...spent, phase: 'checking' });
    await take(deps.finishSignIn(at.address, challenge.nonce, signature), finish, (error) => {
      deps.logError('The sign-in was rejected', error);
      store.set({ ...spent, phase: 'failed', reason: errorText(error, 'Please try again.') });
    });
  }

  async function askWallet(at: SignInStep<W>): Promise<void> {
    const { challenge } = at;
    if (challenge === null) return;
    store.set({ ...at, phase: 'signing', reason: null });
    await take(
      deps.signMessage(challenge.message, at.address),
      (signature) => check(at, challenge, signature),
      (error) => {
        if (!isUserRejection(error)) deps.logError('The wallet could not sign', error);
        store.set({ ...at, phase: 'failed', reason: walletErrorText(error, 'The wallet could not sign the message.') });
      },
    );
  }

  function begin(wallet: W, address: string, isUnasked: boolean, next: Next = show): Promise<void> {
    const first = { step: 'signIn', phase: 'preparing', wallet, address, challenge: null, reason: null } as const;
    return prepare(first, next, isUnasked);
  }

  async function pick(wallet: W, isUnasked = false): Promise<void> {
    store.set({ step: 'connecting', wallet });
    await take(
      deps.connect(wallet),
      (address) => begin(wallet, address, isUnasked),
      (error) => {
        // Only logged and shown here, no toast (S8.22).
        deps.logError('Failed to connect wallet', error);
        store.set({ step: 'connectFailed', wallet, reason: walletErrorText(error, 'The wallet did not respond.') });
      },
    );
  }

  function toChoice(help: HelpTopic | null = null): void {
    turn += 1;
    store.set({ step: 'choose', help });
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    async start({ signNow = false } = {}): Promise<void> {
      const present = deps.connected();
      if (present) await begin(present.wallet, present.address, true, signNow ? askWallet : show);
      else toChoice();
    },
    pick,
    async retry(): Promise<void> {
      const state = store.get();
      if (state.step === 'connectFailed') await pick(state.wallet);
    },
    async sign(): Promise<void> {
      const state = store.get();
      if (state.step !== 'signIn' || (state.phase !== 'ready' && state.phase !== 'failed')) return;
      if (isFresh(state.challenge)) await askWallet(state);
      else await prepare(state, askWallet);
    },
    async changeAccount(address: string): Promise<void> {
      const state = store.get();
      if (state.step !== 'signIn' || state.address === address) return;
      deps.selectAccount(address);
      await begin(state.wallet, address, false);
    },
    walletGone(): void {
      const { step } = store.get();
      if (step === 'signIn') toChoice();
    },
    cancel(): void {
      turn += 1;
    },
    async changeWallet(): Promise<void> {
      toChoice();
      await deps.disconnect();
    },
    toChoice,
  };
}

export type ConnectFlow<W> = ReturnType<typeof createConnectFlow<W>>;

export interface ConnectProps {
  flow: ConnectFlow<UiWallet>;
  network: SuiNetwork;
}
