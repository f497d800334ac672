import { Plus, ShieldUser } from 'lucide-react';
import { useState } from 'react';
import { shortenAddress } from '#shared/text/text.ts';
import { Button } from '../../ui/button.tsx';
import type { ApprovalRequest } from './approvals.ts';
import { Balances } from './balances.tsx';

interface ConnectRequestProps {
  request: Extract<ApprovalRequest, { kind: 'connect' }>;
  chosen: string;
  onChoose: (address: string) => void;
}

export function ConnectRequest({ request, chosen, onChoose }: ConnectRequestProps) {
  const [accounts, setAccounts] = useState(request.accounts);
  const add = (makeAccounts: () => typeof accounts, pick: (after: typeof accounts) => string | undefined) => {
    const after = makeAccounts();
    setAccounts(after);
    onChoose(pick(after) ?? chosen);
  };
  const hasDemo = accounts.some(({ label }) => label === request.demoLabel);
  return (
    <>
      <p className="text-muted">Snapswipe will see the address and ask you before anything is signed.</p>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-semibold text-muted">Account</legend>
        {accounts.map(({ address, label }) => (
          <label
            key={address}
            className="flex min-h-13 cursor-pointer items-center gap-3 rounded-lg border border-line-strong px-4 py-2 transition-colors hover:bg-raised has-checked:border-accent has-checked:bg-accent-soft"
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
              <span className="font-semibold">{label}</span>
              <span className="font-mono text-sm text-muted">{shortenAddress(address)}</span>
              <Balances of={address} read={request.balances} />
            </span>
          </label>
        ))}
      </fieldset>
      <div className="-mx-2 flex flex-wrap gap-1">
        <Button
          variant="ghost"
          className="px-3"
          onClick={() => add(request.addAccount, (after) => after.at(-1)?.address)}
        >
          <Plus aria-hidden size={18} /> Add account
        </Button>
        {request.demoLabel !== null && !hasDemo ? (
          <Button
            variant="ghost"
            className="px-3"
            onClick={() =>
              add(request.addDemoAccount, (after) => after.find(({ label }) => label === request.demoLabel)?.address)
            }
          >
            <ShieldUser aria-hidden size={18} /> Use {request.demoLabel}
          </Button>
        ) : null}
      </div>
    </>
  );
}
