import { isolated } from '../text/isolated.ts';
import { asOfText } from '../text/as-of-text.ts';
import { dayText } from '../text/day-text.ts';
import { changedText, changeWord } from '../listings/change-text.ts';
import type { ListingChange } from '../listings/identity.ts';
import { intervalText, nowText, type VoteCounts } from '../numbers/interval.ts';
import { leadingShare, likelyText } from '../figures/leading-share.ts';
import { lookAlikeText } from '../listings/listing-source.ts';
import { type Listing, ownershipText } from '../listings/ownership.ts';
import { plural } from '../numbers/plural.ts';
import { percentTone } from '../rules.ts';

/** Texts of badges, embedded cards and look-ups. */
export interface BadgeFacts {
  votes: VoteCounts;
  verified: VoteCounts;
  now: VoteCounts | null;
  changed: ListingChange | undefined;
  /** When the listing ends, and whether it had ended when this was drawn. */
  expiresAt: string;
  hasEnded: boolean;
  /** The closed day of the figures that are not live (R94); null before the first one. */
  day: string | null;
}

export interface Figures {
  share: string;
  percentage: number | null;
  tone: 'green' | 'yellow' | 'red' | 'muted';
  label: string;
  isExpired: boolean;
  /** 'of 23 verified votes, likely 29–67%' */
  sample: string;
  /** '48% bullish of 23 verified votes', which a drawing names for machines (docs/use/verify.md); '' without votes. */
  stated: string;
  /** The other share, which is all votes or the verified ones. */
  beside: string | null;
  /** 'last 30 days: 18% of 11', and with its interval. */
  now: string | null;
  nowLikely: string | null;
  expired: string | null;
  /** '31 of 43 votes were cast before it was renamed from Quiet Frog'; null without such a change (R60). */
  changed: string | null;
  changedShort: string | null;
  day: string;
}

const NUMBER = new Intl.NumberFormat('en');

/** '31 of 43 votes before it was renamed' */
export const changedShort = (votes: number, { name, what, votes: before }: ListingChange): string =>
  `${NUMBER.format(before)} of ${plural(votes, 'vote')} before ${name === null ? `a new ${changeWord(what)}` : 'it was renamed'}`;

export function figuresOf({ votes, verified, now, changed, expiresAt, hasEnded, day }: BadgeFacts): Figures {
  const lead = leadingShare(votes, verified);
  const total = votes.bullish + votes.bearish;
  const newest = nowText(votes, now);
  return {
    share: lead ? `${lead.percentage}%` : '–',
    percentage: lead?.percentage ?? null,
    tone: !lead || hasEnded ? 'muted' : percentTone(lead.percentage),
    label: hasEnded ? 'expired' : lead ? 'bullish' : 'no votes',
    isExpired: hasEnded,
    sample: lead ? `${lead.sample}, ${likelyText(lead.votes)}` : 'No votes yet',
    stated: lead ? `${lead.percentage}% bullish ${lead.sample}` : '',
    beside: lead?.beside ?? null,
    now: newest,
    nowLikely: newest && now && `${newest} (${intervalText(now)})`,
    expired: hasEnded ? `Listing expired on ${dayText(expiresAt)}` : null,
    changed: changed ? changedText(total, changed) : null,
    changedShort: changed ? changedShort(total, changed) : null,
    day: asOfText(day),
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

/** The same lines as one text. */
function wordsOf(figures: Figures, changed: string | null): string[] {
  const { share, percentage, sample, beside, nowLikely, expired, day } = figures;
  const opinion = percentage === null ? sample : `${share} bullish ${sample}`;
  return present([opinion, beside, expired, changed, nowLikely, day]);
}

export const sentenceOf = (name: string, figures: Figures): string =>
  `${isolated(name)} on Snapswipe: ${wordsOf(figures, figures.changed).join(', ')}`;

interface LookedUp {
  name: string;
  listing: Pick<Listing, 'ownership' | 'subject' | 'lookAlike'>;
}

/** The line of a look-up. */
export function lookupLine({ name, listing }: LookedUp, facts: BadgeFacts): string {
  const figures = figuresOf(facts);
  const words = wordsOf(figures, figures.changedShort);
  const mark = listing.lookAlike ? [lookAlikeText(listing.lookAlike)] : [];
  return `${isolated(name)}: ${[...words, ownershipText(listing), ...mark].join(' · ')}`;
}
