import { Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { ConnectButton } from './connect-button.tsx';
import { EmptyState } from '../states/empty-state.tsx';

export function ConnectGate({
  title = 'Please connect your wallet',
  children,
}: {
  title?: string;
  children?: ReactNode;
}) {
  return (
    <div className="page grid min-h-[60dvh] place-items-center py-12">
      <div className="panel w-full max-w-lg p-6">
        <EmptyState
          icon={<Wallet size={28} />}
          title={<h1 className="text-2xl">{title}</h1>}
          action={<ConnectButton size="lg" className="mt-2" />}
        >
          {children}
        </EmptyState>
      </div>
    </div>
  );
}
