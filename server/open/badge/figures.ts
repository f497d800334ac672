import { dayText } from '#shared/day-text.ts';
import { changedText, changeWord, type ListingChange, mentionedChange } from '#shared/identity.ts';
import { nowText } from '#shared/interval.ts';
import { leadingShare, likelyText } from '#shared/leading-share.ts';
import { plural } from '#shared/plural.ts';
import { percentTone } from '#shared/rules.ts';
import { type FoundProject, votesOf } from '#server/listings/projects/queries.ts';

export interface Figures {
  share: string;
  percentage: number | null;
  tone: 'green' | 'yellow' | 'red' | 'muted';
  label: string;
  isExpired: boolean;
  /** 'of 23 verified votes, likely 29–67%' */
  sample: string;
  /** The other share, which is all votes or the verified ones. */
  beside: string | null;
  now: string | null;
  expired: string | null;
  /** '31 of 43 votes were cast before it was renamed from Quiet Frog'; null without such a change (R60). */
  changed: string | null;
  changedShort: string | null;
  day: string;
}

const NUMBER = new Intl.NumberFormat('en');

const shortText = (votes: number, { name, what, votes: before }: ListingChange): string =>
  `${NUMBER.format(before)} of ${plural(votes, 'vote')} before ${name === null ? `a new ${changeWord(what)}` : 'it was renamed'}`;

export function figuresOf(row: FoundProject, now: Date): Figures {
  const { votes, verified } = votesOf(row);
  const lead = leadingShare(votes, verified);
  const total = votes.bullish + votes.bearish;
  const isExpired = row.expiresAt <= now;
  const change = mentionedChange(row, row.identityChanges ?? []);
  return {
    share: lead ? `${lead.percentage}%` : '–',
    percentage: lead?.percentage ?? null,
    tone: !lead || isExpired ? 'muted' : percentTone(lead.percentage),
    label: isExpired ? 'expired' : lead ? 'bullish' : 'no votes',
    isExpired,
    sample: lead ? `${lead.sample}, ${likelyText(lead.votes)}` : 'No votes yet',
    beside: lead?.beside ?? null,
    now: row.now && nowText(row.now),
    expired: isExpired ? `Listing expired on ${dayText(row.expiresAt.toISOString())}` : null,
    changed: change ? changedText(total, change) : null,
    changedShort: change ? shortText(total, change) : null,
    day: dayText(now.toISOString()),
  };
}

const present = (texts: ReadonlyArray<string | null>): string[] => texts.filter((text) => text !== null);

/** At most three lines, the last with the day; an expired listing begins with its end. */
export function linesOf({ sample, beside, now, expired, day }: Figures, changed: string | null): string[] {
  const line = (...texts: Array<string | null>) => present(texts).join(' · ');
  if (expired !== null)
    return changed === null
      ? [expired, sample, line(beside, day)]
      : [expired, line(sample, beside), line(changed, day)];
  if (changed !== null) return [sample, line(beside, now), line(changed, day)];
  return now === null ? [sample, line(beside, day)] : [sample, line(beside), line(now, day)];
}

/** The same in words for a line of text. */
export function wordsOf(
  { share, percentage, sample, beside, now, expired, day }: Figures,
  changed: string | null,
): string[] {
  const opinion = percentage === null ? sample : `${share} bullish ${sample}`;
  return present([opinion, beside, expired, changed, now, day]);
}

export const sentenceOf = (name: string, figures: Figures): string =>
  `${name} on Snapswipe: ${wordsOf(figures, figures.changed).join(', ')}`;
