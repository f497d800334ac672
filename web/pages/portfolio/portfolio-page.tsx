import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { shortenAddress } from '#shared/text/text.ts';
import { ConnectGate } from '../../components/session/connect-gate.tsx';
import { OpenPayments } from '../../payments/open-payments.tsx';
import { useIsAdmin } from '../../payments/use-order.ts';
import { useSession } from '../../lib/session.ts';
import { ActivityList } from './activity-list.tsx';
import { Calls } from './calls/calls.tsx';
import { CheckMyVotes } from './check-my-votes.tsx';
import { MissingPayment } from './missing-payment.tsx';
import { OwnProjects } from './own-projects.tsx';
import { OwnStanding } from './own-standing.tsx';
import { OwnWithdrawals } from './own-withdrawals.tsx';
import { Ticket } from './ticket/ticket.tsx';
import { TokenRow } from './token-row.tsx';
import { VotingHistory } from './voting-history.tsx';

function AdminBanner() {
  return (
    <p className="flex items-center gap-3 rounded-xl border border-line p-4 font-semibold">
      <BadgeCheck aria-hidden size={22} className="shrink-0" />
      You are logged in as Admin. Updates and renewals are free for you.
    </p>
  );
}

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-6">
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

export function PortfolioPage() {
  const { user } = useSession();
  const isAdmin = useIsAdmin();
  if (!user) return <ConnectGate>Your Snaps, your votes and your projects live here.</ConnectGate>;
  return (
    <div className="page grid gap-6 py-6 md:py-8" key={user.id}>
      <header className="flex flex-wrap items-baseline gap-x-4">
        <h1 className="text-2xl md:text-4xl">Your Portfolio</h1>
        <p className="text-muted" title={user.walletAddress}>
          {shortenAddress(user.walletAddress)}
        </p>
      </header>
      {isAdmin ? <AdminBanner /> : null}
      <OpenPayments userId={user.id} always />
      <Ticket userId={user.id} />
      <TokenRow userId={user.id} />
      <Calls userId={user.id} />
      <Group id="snaps" title="Snaps">
        <OwnWithdrawals userId={user.id} />
        <ActivityList userId={user.id} />
      </Group>
      <Group id="votes" title="Votes">
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <OwnStanding userId={user.id} />
          <VotingHistory userId={user.id} />
        </div>
        <CheckMyVotes userId={user.id} />
      </Group>
      <Group id="projects" title="Projects">
        <OwnProjects userId={user.id} walletAddress={user.walletAddress} />
        <MissingPayment userId={user.id} />
      </Group>
    </div>
  );
}
