import { Download } from 'lucide-react';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import { Button } from '../../ui/button.tsx';
import { downloadCsv } from './csv.ts';

const COLUMNS = [
  'id',
  'state',
  'tokenAmount',
  'walletAddress',
  'userId',
  'username',
  'digest',
  'reason',
  'createdAt',
  'updatedAt',
];

/** The withdrawals on the screen as CSV. */
export function QueueExport({ state, withdrawals }: { state: string; withdrawals: readonly AdminWithdrawal[] }) {
  return (
    <Button
      variant="secondary"
      className="justify-self-start"
      onClick={() => downloadCsv(`snapswipe-withdrawals-${state}`, COLUMNS, withdrawals)}
    >
      <Download aria-hidden size={18} />
      Download CSV
    </Button>
  );
}
