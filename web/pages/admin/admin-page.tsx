import { ShieldX, Wallet } from 'lucide-react';
import { shortenAddress } from '#shared/text/text.ts';
import { ConnectButton } from '../../components/session/connect-button.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { PageSkeleton } from '../../components/states/page-skeleton.tsx';
import { useStore } from '../../lib/external-store.ts';
import { session, useSession } from '../../lib/session.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { adminToken } from './admin-session.ts';
import { AdminPanel } from './admin-panel.tsx';
import { Gate } from './gate.tsx';
import { LoginForm } from './login-form.tsx';

export function AdminPage() {
  const { user } = useSession();
  const site = useSiteConfig();
  const token = useStore(adminToken);
  if (!user) {
    return (
      <Gate>
        <EmptyState
          icon={<Wallet size={28} />}
          title={<h1 className="text-2xl">Wallet Not Connected</h1>}
          action={<ConnectButton size="lg" className="mt-2" />}
        >
          Please connect your wallet to reach the admin panel.
        </EmptyState>
      </Gate>
    );
  }
  if (!site) return <PageSkeleton />;
  if (user.role === undefined) {
    return (
      <Gate>
        <EmptyState
          icon={<ShieldX size={28} />}
          title={<h1 className="text-2xl">Access Denied</h1>}
          action={
            <Button variant="secondary" className="mt-2" onClick={() => void session.signOut()}>
              Use another wallet
            </Button>
          }
        >
          Only the admin wallet{' '}
          <code className="font-mono text-text" title={site.adminWallet}>
            {shortenAddress(site.adminWallet)}
          </code>{' '}
          may enter.
        </EmptyState>
      </Gate>
    );
  }
  return token === null ? <LoginForm walletAddress={user.walletAddress} /> : <AdminPanel role={user.role} />;
}
