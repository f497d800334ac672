import { hasShare } from '#shared/figures/calls.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { dayText } from '#shared/text/day-text.ts';
import { shareText } from '../../../components/values/two-dots.tsx';
import { VOTE_LOOKS } from '../../../voting/vote-looks.ts';

/** 'Bearish 3 Nov 2026 at 71%, now 52%' (R90). */
export function callText({ voteType, since, call }: Pick<VoteHistoryItem, 'voteType' | 'since' | 'call'>): string {
  const vote = `${VOTE_LOOKS[voteType].label} ${dayText(since)}`;
  return call ? `${vote} at ${shareText(call.before)}, now ${shareText(call.now)}` : vote;
}

export function majorityText(call: VoteHistoryItem['call']): string | null {
  if (!call || call.isWithMajority === null) return null;
  if (!call.isWithMajority) return 'Against the majority';
  return hasShare(call.before) ? 'With the majority' : 'Early, and with the majority';
}
