import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { logOut } from './admin-session.ts';
import { AuditTab } from './audit/audit-tab.tsx';
import { ModerationTab } from './moderation/moderation-tab.tsx';
import { PauseSwitch } from './withdrawals/pause-switch.tsx';
import { PaymentsTab } from './payments/payments-tab.tsx';
import { ConsoleTab } from './sql/console-tab.tsx';
import { VotesTab } from './votes/votes-tab.tsx';
import { WithdrawalsTab } from './withdrawals/withdrawals-tab.tsx';

const TABS = [
  { value: 'withdrawals', label: 'Withdrawals', Panel: WithdrawalsTab },
  { value: 'sql', label: 'SQL console', Panel: ConsoleTab },
  { value: 'payments', label: 'Payments', Panel: PaymentsTab },
  { value: 'moderation', label: 'Moderation', Panel: ModerationTab },
  { value: 'votes', label: 'Votes', Panel: VotesTab },
  { value: 'audit', label: 'Audit log', Panel: AuditTab },
] as const;
type TabName = (typeof TABS)[number]['value'];

/** The admin panel, behind all three gates (S2.40, R33). */
export function AdminPanel() {
  const [tab, setTab] = useState<TabName>('withdrawals');
  const Panel = TABS.find(({ value }) => value === tab)?.Panel ?? WithdrawalsTab;
  return (
    <div className="page grid grid-cols-1 gap-6 py-8 md:py-12">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-4xl md:text-5xl">Admin Panel</h1>
        <Button variant="secondary" onClick={() => void logOut()}>
          <LogOut aria-hidden size={18} />
          Logout
        </Button>
      </header>
      <PauseSwitch />
      <Tabs label="Admin panel" tabs={TABS} value={tab} onChange={setTab}>
        <Panel />
      </Tabs>
    </div>
  );
}
