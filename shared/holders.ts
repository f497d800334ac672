import { intervalText, type VoteCounts } from './interval.ts';
import { bullishPercentage } from './rules.ts';

export interface HolderVotes {
  holders: VoteCounts;
  others: VoteCounts;
}

/** Figures need so many votes in both groups, and later ones so many whose group was fixed since. */
export const HOLDERS_MIN_VOTES = 10;
/** Days between the figures of a project. */
export const HOLDERS_EVERY_DAYS = 7;
export const COIN_MAX_MINIMUM = 1e15;

/** '71% of 240'. */
export const shareText = ({ bullish, bearish }: VoteCounts): string =>
  `${bullishPercentage(bullish, bearish)}% of ${(bullish + bearish).toLocaleString('en')}`;

/** 'Holders 71% of 240 · others 93% of 310'. */
export const holdersText = ({ holders, others }: HolderVotes): string =>
  `Holders ${shareText(holders)} · others ${shareText(others)}`;

/** 'holders likely 65–76%, others 89–95%'. */
export const holdersIntervalText = ({ holders, others }: HolderVotes): string =>
  `holders likely ${intervalText(holders)}, others ${intervalText(others)}`;
