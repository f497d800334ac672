import { useMutation } from '@tanstack/react-query';
import { KeyRound, ScrollText, UserX } from 'lucide-react';
import { useState } from 'react';
import type { Member, OneTimePassword } from '#shared/contract/people.ts';
import { shortenAddress } from '#shared/text.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { toast } from '../../../lib/toast.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { MemberActs } from './member-acts.tsx';
import { refreshPeople, renewPassword, revokeRole, ROLE_LABELS } from './people-calls.ts';

const STATES: Record<Member['state'], [label: string, tone: BadgeTone]> = {
  invited: ['Has not logged in yet', 'warn'],
  expired: ['One-time password expired', 'warn'],
  active: ['Active', 'bull'],
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
      {lockedUntil ? <span className="text-warn">Locked after wrong passwords</span> : null}
    </p>
  );
}

type Asking = 'password' | 'revoke';

function useChange(wallet: string, onPassword: (password: OneTimePassword) => void) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ what, reason }: { what: Asking; reason: string }): Promise<OneTimePassword | null> => {
      if (what === 'password') return renewPassword(wallet, reason);
      await revokeRole(wallet, reason);
      return null;
    },
    onSuccess: (password) => {
      setAsking(null);
      if (password) onPassword(password);
      else toast({ title: 'Role revoked', description: 'Their admin sessions have ended.', variant: 'success' });
    },
    onError: (error) => showFailure('Error', error, 'Failed to change the role'),
    onSettled: refreshPeople,
  });
  return { asking, setAsking, mutate, isPending };
}

const DIALOGS = {
  password: {
    title: 'New password',
    description: 'Their current password and admin sessions end. You get a one-time password to hand over.',
    action: 'Make a new password',
  },
  revoke: {
    title: 'Revoke role',
    description: 'Their admin sessions end at once. What they did stays in the audit log.',
    action: 'Revoke role',
  },
} as const;

interface MemberRowProps {
  member: Member;
  onPassword: (password: OneTimePassword) => void;
}

/** A person with what the owner may do about the role. */
export function MemberRow({ member, onPassword }: MemberRowProps) {
  const { wallet, username, role, state } = member;
  const { asking, setAsking, mutate, isPending } = useChange(wallet, onPassword);
  const [showsActs, setShowsActs] = useState(false);
  const [label, tone] = STATES[state];
  const name = username ?? shortenAddress(wallet);
  return (
    <li className="grid grid-cols-1 gap-3 py-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-64 gap-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-semibold">{ROLE_LABELS[role]}</span>
            {username ? <span>{username}</span> : null}
            <span className="font-mono text-sm" title={wallet}>
              {shortenAddress(wallet)}
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
          {state === 'revoked' ? null : (
            <>
              <Button variant="secondary" aria-label={`New password for ${name}`} onClick={() => setAsking('password')}>
                <KeyRound aria-hidden size={18} />
                New password
              </Button>
              <Button variant="secondary" aria-label={`Revoke the role of ${name}`} onClick={() => setAsking('revoke')}>
                <UserX aria-hidden size={18} />
                Revoke
              </Button>
            </>
          )}
        </div>
      </div>
      {showsActs ? <MemberActs wallet={wallet} name={name} /> : null}
      {asking ? (
        <ReasonDialog
          {...DIALOGS[asking]}
          label="Reason, for the audit log"
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAsking(null)}
          onSubmit={(reason) => mutate({ what: asking, reason })}
        />
      ) : null}
    </li>
  );
}
