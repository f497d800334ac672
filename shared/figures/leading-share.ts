import { isolated } from '../text/isolated.ts';
import { intervalText, type VoteCounts, verifiedText } from '../numbers/interval.ts';
import { plural } from '../numbers/plural.ts';
import { bullishPercentage } from '../rules.ts';
import { RANK_MIN_VOTES } from './sorts.ts';

const totalOf = ({ bullish, bearish }: VoteCounts): number => bullish + bearish;
const percentageOf = ({ bullish, bearish }: VoteCounts): number => bullishPercentage(bullish, bearish);

/** The share that is shown first where the specification leaves that open, with the words for it and for the other share (R44). */
export interface LeadingShare {
  /** The votes of the percentage, its interval and its bar. */
  votes: VoteCounts;
  percentage: number;
  /** 'of 23 verified votes', 'of 31 votes' */
  sample: string;
  /** '58% of all 31 votes', '75% of 4 verified votes' */
  beside: string;
  /** The same in one number, where the counts of all votes are shown, too: '58% of all votes', '4 verified'. */
  brief: string;
}

/**
 * The share of the verified votes from ten of them on, that of all votes below; null without votes. A change of identity
 * takes nothing away from the ten: it could raise the figure otherwise (R60).
 */
export function leadingShare(all: VoteCounts, verified: VoteCounts): LeadingShare | null {
  const [votes, checked] = [totalOf(all), totalOf(verified)];
  if (votes === 0) return null;
  return checked < RANK_MIN_VOTES
    ? {
        votes: all,
        percentage: percentageOf(all),
        sample: `of ${plural(votes, 'vote')}`,
        beside: verifiedText(verified),
        brief: checked === 0 ? verifiedText(verified) : `${checked} verified`,
      }
    : {
        votes: verified,
        percentage: percentageOf(verified),
        sample: `of ${plural(checked, 'verified vote')}`,
        beside: `${percentageOf(all)}% of all ${plural(votes, 'vote')}`,
        brief: `${percentageOf(all)}% of all votes`,
      };
}

/** 'likely 29–67%' */
export const likelyText = (votes: VoteCounts): string => `likely ${intervalText(votes)}`;

/** The title of a project's page where it is shared. */
export function shareTitle(name: string, all: VoteCounts, verified: VoteCounts): string {
  const lead = leadingShare(all, verified);
  return lead ? `${isolated(name)}: ${lead.percentage}% bullish ${lead.sample}, ${lead.beside}` : isolated(name);
}
