import { BadgeCheck, Ban, Fingerprint, Gavel, History, Hourglass, Network, type LucideIcon } from 'lucide-react';
import type { VoterState, VoteState } from '#shared/states/votes.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

interface Look {
  label: string;
  tone: BadgeTone;
  Icon: LucideIcon;
}

const VOTERS: Record<VoterState, Look> = {
  standing: { label: 'Verified', tone: 'accent', Icon: Fingerprint },
  waiting: { label: 'Not verified yet', tone: 'neutral', Icon: Hourglass },
  no_standing: { label: 'Not verified', tone: 'neutral', Icon: Ban },
};
const VOTES: Record<VoteState, Look> = {
  verified: { label: 'Verified', tone: 'accent', Icon: BadgeCheck },
  waiting: { label: 'Not verified yet', tone: 'neutral', Icon: Hourglass },
  no_standing: { label: 'Excluded: held too little SUI', tone: 'neutral', Icon: Ban },
  rhythm: { label: 'Excluded: looks automated', tone: 'neutral', Icon: Network },
  moderator: { label: 'Excluded by a moderator', tone: 'neutral', Icon: Gavel },
  replaced: { label: 'Replaced by a newer vote', tone: 'neutral', Icon: History },
};

export const voterStateLabel = (state: VoterState): string => VOTERS[state].label;

function StateBadge({ label, tone, Icon }: Look) {
  return (
    <Badge tone={tone}>
      <Icon aria-hidden size={14} />
      {label}
    </Badge>
  );
}

export const VoterStateBadge = ({ state }: { state: VoterState }) => <StateBadge {...VOTERS[state]} />;

export const VoteStateBadge = ({ state }: { state: VoteState }) => <StateBadge {...VOTES[state]} />;
