import { Plus, ShieldUser } from 'lucide-react';
import { useState } from 'react';
import { shortenAddress } from '#shared/text/text.ts';
import { Button } from '../../ui/button.tsx';
import type { ApprovalRequest } from './approvals.ts';
import { Balances } from './balances.tsx';
import type { SandboxAccount } from './keyring.ts';

interface ConnectRequestProps {
  request: Extract<ApprovalRequest, { kind: 'connect' }>;
  chosen: string;
  onChoose: (address: string) => void;
}

export function ConnectRequest({ request, chosen, onChoose }: ConnectRequestProps) {
  const { admin } = request;
  const [accounts, setAccounts] = useState(request.accounts);
  const add = (account: SandboxAccount) => {
    setAccounts([...accounts, account]);
    onChoose(account.address);
  };
  return (
    <>
      <p className="text-muted">Snapswipe will see the address and ask you before anything is signed.</p>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-semibold text-muted">Account</legend>
        {accounts.map(({ address, label }) => (
          <label
            key={address}
            className="flex min-h-13 cursor-pointer items-center gap-2.5 rounded-lg border border-line-strong px-3 py-2 transition-colors hover:bg-raised has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="sandbox-account"
              className="size-5 shrink-0"
              checked={address === chosen}
              aria-label={`${label} ${shortenAddress(address)}`}
              onChange={() => onChoose(address)}
            />
            <span className="grid leading-tight">
              <span className="text-sm font-semibold">{label}</span>
              <span className="flex flex-wrap gap-x-3 text-sm text-muted">
                <span className="font-mono">{shortenAddress(address)}</span>
                <Balances of={address} read={request.balances} />
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="-mx-2 flex flex-wrap gap-1">
        <Button variant="ghost" className="px-3" onClick={() => add(request.addAccount())}>
          <Plus aria-hidden size={18} /> Add account
        </Button>
        {admin !== null && !accounts.some(({ address }) => address === admin.address) ? (
          <Button variant="ghost" className="px-3" onClick={() => add(admin)}>
            <ShieldUser aria-hidden size={18} /> Use {admin.label}
          </Button>
        ) : null}
      </div>
    </>
  );
}
