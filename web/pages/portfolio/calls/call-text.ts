import { hasShare } from '#shared/figures/calls.ts';
import type { CrowdMove, VoteHistoryItem } from '#shared/contract/users.ts';
import { dayText } from '#shared/text/day-text.ts';
import type { VoteCounts } from '#shared/numbers/interval.ts';
import { plural } from '#shared/numbers/plural.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { VOTE_LOOKS } from '../../../voting/vote-looks.ts';

const figureText = (votes: VoteCounts): string =>
  hasShare(votes)
    ? `${bullishPercentage(votes.bullish, votes.bearish)}%`
    : plural(votes.bullish + votes.bearish, 'vote');

/** 'Bearish 3 Nov 2026 at 71%, now 52%' (R90). */
export function callText({ voteType, since, call }: Pick<VoteHistoryItem, 'voteType' | 'since' | 'call'>): string {
  const vote = `${VOTE_LOOKS[voteType].label} ${dayText(since)}`;
  return call ? `${vote} at ${figureText(call.before)}, now ${figureText(call.now)}` : vote;
}

export const MOVE_TEXT: Record<CrowdMove, string> = {
  toward: 'The crowd came your way',
  away: 'The crowd went the other way',
  level: 'The crowd has not moved',
};

export function weekText({ bullish, bearish }: VoteCounts): string {
  return `${plural(bullish + bearish, 'vote')} this week: ${bullish.toLocaleString()} bullish, ${bearish.toLocaleString()} bearish`;
}
