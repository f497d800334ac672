import { LogIn } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from '../../lib/external-store.ts';
import { lostAction } from '../../lib/lost-action.ts';
import { session } from '../../lib/session.ts';
import { cn } from '../../ui/class-names.ts';
import { Button } from '../../ui/button.tsx';
import { loadWallet, preloadWallet } from '../../wallet-gate.ts';
import { connectDialogOpen } from '../../lib/wallet-state.ts';
import { EmptyState } from '../states/empty-state.tsx';

const TITLE = 'Your session has ended';
const WHY = 'You were signed out in another tab or on another device, or 30 days have passed.';

function signInAgain(): void {
  connectDialogOpen.set(true);
  loadWallet().then(
    (module) => module.signInAgain(),
    (error: unknown) => console.error('The wallet code could not be loaded', error),
  );
}

function Actions({ className }: { className?: string }) {
  // The pressed button disappears with the offer: keep the focus in the page.
  useEffect(
    () => () => {
      if (session.get().status === 'signedIn') document.getElementById('main')?.focus({ preventScroll: true });
    },
    [],
  );
  return (
    <div className={cn('mt-1 flex flex-wrap gap-2', className)}>
      <Button className="px-4!" onClick={signInAgain} onPointerEnter={preloadWallet}>
        <LogIn aria-hidden size={20} />
        Sign in again
      </Button>
      <Button variant="ghost" className="px-4!" onClick={() => void session.signOut()}>
        Stay signed out
      </Button>
    </div>
  );
}

export function SessionEndedNotice() {
  const lost = useStore(lostAction);
  return (
    <section
      role="alert"
      className="fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-30 grid gap-2 rounded-xl border border-line-strong bg-surface p-5 shadow-float sm:end-auto sm:start-6 sm:w-[26rem]"
    >
      <h2 className="text-lg">{TITLE}</h2>
      {lost === null ? null : <p className="font-semibold">{lost}</p>}
      <p className="text-muted">{WHY} Sign in again to continue where you left off.</p>
      <Actions />
    </section>
  );
}

export function SessionEndedPage() {
  return (
    <div role="alert" className="page grid min-h-[60dvh] place-items-center py-12">
      <div className="panel w-full max-w-lg p-6">
        <EmptyState
          icon={<LogIn size={28} />}
          title={<h1 className="text-2xl">{TITLE}</h1>}
          action={<Actions className="justify-center" />}
        >
          {WHY} Sign in again to continue where you left off.
        </EmptyState>
      </div>
    </div>
  );
}
