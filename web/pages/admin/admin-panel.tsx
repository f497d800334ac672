import { KeyRound, LogOut } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import type { EndpointName } from '#shared/endpoints.ts';
import { mayCall, type Role } from '#shared/people/roles.ts';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { loadable } from '../../lib/loadable.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { logOut } from './admin-session.ts';
import { AuditTab } from './audit/audit-tab.tsx';
import { ModerationTab } from './moderation/moderation-tab.tsx';
import { OverviewTab } from './overview/overview-tab.tsx';
import { ChangePassword } from './people/change-password.tsx';
import { PeopleTab } from './people/people-tab.tsx';
import { PaymentsTab } from './money/payments-tab.tsx';
import { ConsoleTab } from './console/console-tab.tsx';
import { VotesTab } from './moderation/votes-tab.tsx';
import { WithdrawalsTab } from './money/withdrawals-tab.tsx';

const catalogueTab = loadable(async () => (await import('./listings/catalogue-tab.tsx')).CatalogueTab);

function Catalogue() {
  return (
    <OnDemand name="The catalogue" onRetry={catalogueTab.retry} loading={<Skeleton className="h-44 w-full" />}>
      <catalogueTab.Part />
    </OnDemand>
  );
}

type TabName =
  | 'overview'
  | 'withdrawals'
  | 'sql'
  | 'payments'
  | 'moderation'
  | 'votes'
  | 'catalogue'
  | 'people'
  | 'audit';

interface AdminTab {
  value: TabName;
  label: string;
  needs: EndpointName;
  Panel: ComponentType<{ onOpen: (tab: TabName) => void }>;
}

const TABS: readonly AdminTab[] = [
  { value: 'overview', label: 'Overview', needs: 'getOverview', Panel: OverviewTab },
  { value: 'withdrawals', label: 'Withdrawals', needs: 'listAllWithdrawals', Panel: WithdrawalsTab },
  { value: 'sql', label: 'SQL console', needs: 'executeSql', Panel: ConsoleTab },
  { value: 'payments', label: 'Payments', needs: 'listAllPayments', Panel: PaymentsTab },
  { value: 'moderation', label: 'Moderation', needs: 'listModeratedProjects', Panel: ModerationTab },
  { value: 'votes', label: 'Votes', needs: 'listModeratedVotes', Panel: VotesTab },
  { value: 'catalogue', label: 'Catalogue', needs: 'listImports', Panel: Catalogue },
  { value: 'people', label: 'People', needs: 'listPeople', Panel: PeopleTab },
  { value: 'audit', label: 'Audit log', needs: 'listAudit', Panel: AuditTab },
];

function Header({ role }: { role: Role }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-4">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-2xl sm:text-4xl">Admin Panel</h1>
        {role === 'owner' ? null : <Badge tone="accent">Signed in as {role}</Badge>}
      </div>
      <div className="flex flex-wrap gap-2">
        {role === 'owner' ? null : (
          <Button variant="secondary" onClick={() => setChanging(true)}>
            <KeyRound aria-hidden size={18} />
            Change password
          </Button>
        )}
        <Button variant="secondary" onClick={() => void logOut()}>
          <LogOut aria-hidden size={18} />
          Logout
        </Button>
      </div>
      {isChanging ? <ChangePassword onClose={() => setChanging(false)} /> : null}
    </header>
  );
}

export function AdminPanel({ role }: { role: Role }) {
  const [tab, setTab] = useState<TabName>('overview');
  const tabs = TABS.filter(({ needs }) => mayCall(role, needs));
  const { value, Panel } = tabs.find((one) => one.value === tab) ?? TABS[0] ?? { value: tab, Panel: OverviewTab };
  return (
    <div className="page grid grid-cols-1 gap-4 py-4 sm:gap-6 sm:py-8 md:py-12">
      <Header role={role} />
      <Tabs label="Admin panel" tabs={tabs} value={value} onChange={setTab}>
        <Panel onOpen={setTab} />
      </Tabs>
    </div>
  );
}
