import { dayText } from '#shared/day-text.ts';
import { changedText, changeWord, type ListingChange, mentionedChange } from '#shared/identity.ts';
import { intervalText, nowText } from '#shared/interval.ts';
import { plural } from '#shared/plural.ts';
import { bullishPercentage, percentTone } from '#shared/rules.ts';
import type { FoundProject } from '#server/listings/projects/queries.ts';

export interface Figures {
  share: string;
  percentage: number | null;
  tone: 'green' | 'yellow' | 'red' | 'muted';
  label: string;
  isExpired: boolean;
  first: string;
  second: string;
  /** '31 of 43 votes were cast before it was renamed from Quiet Frog'; null without such a change (R60). */
  changed: string | null;
}

const NUMBER = new Intl.NumberFormat('en');

const shortText = (votes: number, { name, what, votes: before }: ListingChange): string =>
  `${NUMBER.format(before)} of ${plural(votes, 'vote')} before ${name === null ? `a new ${changeWord(what)}` : 'it was renamed'}`;

function firstLine(row: FoundProject, isExpired: boolean): string {
  if (isExpired) return `Listing expired on ${dayText(row.expiresAt.toISOString())}`;
  if (row.bullish + row.bearish === 0) return 'No votes yet';
  return `likely ${intervalText(row)}${row.now ? ` · ${nowText(row.now)}` : ''}`;
}

export function figuresOf(row: FoundProject, now: Date): Figures {
  const votes = row.bullish + row.bearish;
  const verified = row.verifiedBullish + row.verifiedBearish;
  const isExpired = row.expiresAt <= now;
  const change = mentionedChange(row, row.identityChanges ?? []);
  const percentage = votes === 0 ? null : bullishPercentage(row.bullish, row.bearish);
  const evidence = votes === 0 ? '' : `${NUMBER.format(verified)} of ${plural(votes, 'vote')} verified · `;
  return {
    share: percentage === null ? '–' : `${percentage}%`,
    percentage,
    tone: percentage === null || isExpired ? 'muted' : percentTone(percentage),
    label: isExpired ? 'expired' : percentage === null ? 'no votes' : 'bullish',
    isExpired,
    first: isExpired || !change ? firstLine(row, isExpired) : shortText(votes, change),
    second: evidence + dayText(now.toISOString()),
    changed: change ? changedText(votes, change) : null,
  };
}

export function sentenceOf(name: string, figures: Figures): string {
  const share = figures.percentage === null ? '' : `${figures.share} bullish, `;
  return `${name} on Snapswipe: ${share}${figures.changed ?? figures.first}, ${figures.second}`;
}
