import { BadgeCheck, Ban, Clock, ThumbsUp, type LucideIcon } from 'lucide-react';
import type { WithdrawalState } from '#shared/contract/withdrawals.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const LOOKS: Record<WithdrawalState, { label: string; tone: BadgeTone; Icon: LucideIcon }> = {
  requested: { label: 'Requested', tone: 'neutral', Icon: Clock },
  approved: { label: 'Approved', tone: 'neutral', Icon: ThumbsUp },
  paid: { label: 'Paid', tone: 'accent', Icon: BadgeCheck },
  rejected: { label: 'Rejected', tone: 'neutral', Icon: Ban },
};

export const withdrawalStateLabel = (state: WithdrawalState): string => LOOKS[state].label;

export function WithdrawalStateBadge({ state }: { state: WithdrawalState }) {
  const { label, tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden size={14} />
      {label}
    </Badge>
  );
}
