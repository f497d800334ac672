import { Name } from '../../../components/values/name.tsx';
import { KeyRound, ScrollText, UserX } from 'lucide-react';
import { useState } from 'react';
import type { Member, OneTimePassword } from '#shared/contract/people.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Act } from '../act.tsx';
import { adminList } from '../admin-queries.ts';
import { Address } from '../row.tsx';
import { ROLE_LABELS } from './role-words.ts';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore } from '../../../components/states/show-more.tsx';
import { useList } from '../../../lib/use-list.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { AUDIT_LOOKS } from '../audit/audit-looks.ts';
import { CsvButton } from '../table/csv-button.tsx';
import { DataTable } from '../table/data-table.tsx';

const STATES: Record<Member['state'], [label: string, tone: BadgeTone]> = {
  invited: ['Has not logged in yet', 'accent'],
  expired: ['One-time password expired', 'accent'],
  active: ['Active', 'neutral'],
  revoked: ['Revoked', 'neutral'],
};

function Facts({ member: { grantedAt, grantedBy, revokedAt, lockedUntil, lastActAt } }: { member: Member }) {
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
      <span title={grantedBy}>
        Granted <RelativeTime iso={grantedAt} /> by {shortenAddress(grantedBy)}
      </span>
      {revokedAt ? (
        <span>
          Revoked <RelativeTime iso={revokedAt} />
        </span>
      ) : null}
      {lastActAt ? (
        <span>
          Last active <RelativeTime iso={lastActAt} />
        </span>
      ) : null}
      {lockedUntil ? <span className="text-text">Locked after wrong passwords</span> : null}
    </p>
  );
}

interface MemberRowProps {
  member: Member;
  onPassword: (password: OneTimePassword) => void;
}

function RoleActs({ member: { wallet }, name, onPassword }: MemberRowProps & { name: string }) {
  const label = 'Reason, for the audit log';
  const shared = { failed: 'Failed to change the role' };
  return (
    <>
      <Act
        {...shared}
        word="New password"
        label={`New password for ${name}`}
        Icon={KeyRound}
        ask={{
          title: 'New password',
          description: 'Their current password and admin sessions end. You get a one-time password to hand over.',
          label,
        }}
        call={(headers, reason) => api.renewPassword({ params: { wallet }, body: { reason }, headers })}
        done={onPassword}
      />
      <Act
        {...shared}
        word="Revoke"
        label={`Revoke the role of ${name}`}
        Icon={UserX}
        ask={{
          title: 'Revoke role',
          description: 'Their admin sessions end at once. What they did stays in the audit log.',
          action: 'Revoke role',
          label,
        }}
        call={(headers, reason) => api.revokeRole({ params: { wallet }, body: { reason }, headers })}
        done={{ title: 'Role revoked', description: 'Their admin sessions have ended.' }}
      />
    </>
  );
}

const COLUMNS = ['createdAt', 'action', 'outcome', 'detail', 'ip'];

function MemberActs({ wallet, name }: { wallet: string; name: string }) {
  const source = adminList('listAudit', { actor: wallet });
  const { rows, error, retry, isRetrying, more } = useList(source, { noun: 'entries' });
  if (error) return <ErrorState error={error} onRetry={retry} retrying={isRetrying} />;
  if (!rows) return <Skeleton className="h-24 w-full" />;
  if (rows.length === 0) return <p className="text-muted">{name} has done nothing yet.</p>;
  return (
    <DataTable name={`History of ${name}`} columns={COLUMNS} rows={rows} looks={AUDIT_LOOKS}>
      <ShowMore more={more} noun="entries" />
      <CsvButton name={`History of ${name}`} source={source} />
    </DataTable>
  );
}

export function MemberRow({ member, onPassword }: MemberRowProps) {
  const { wallet, username, role, state } = member;
  const [showsActs, setShowsActs] = useState(false);
  const [label, tone] = STATES[state];
  const name = username ?? shortenAddress(wallet);
  return (
    <li className="grid grid-cols-1 gap-3 py-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-64 gap-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-semibold">{ROLE_LABELS[role]}</span>
            {username ? (
              <span>
                <Name>{username}</Name>
              </span>
            ) : null}
            <span className="text-sm">
              <Address of={wallet} />
            </span>
            <Badge tone={tone}>{label}</Badge>
          </p>
          <Facts member={member} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            aria-label={`History of ${name}`}
            aria-expanded={showsActs}
            onClick={() => setShowsActs(!showsActs)}
          >
            <ScrollText aria-hidden size={18} />
            History
          </Button>
          {state === 'revoked' ? null : <RoleActs member={member} name={name} onPassword={onPassword} />}
        </div>
      </div>
      {showsActs ? <MemberActs wallet={wallet} name={name} /> : null}
    </li>
  );
}
