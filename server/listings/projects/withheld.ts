import { leadsAway } from './leads-away.ts';

interface Texts {
  description: string;
  twitterHandle: string;
  website: string | null;
}

/** `mark` is what the listing's name looks like; null without a mark. */
export const shownDescription = (description: string, mark: unknown): string =>
  mark !== null && leadsAway(description) ? '' : description;

/** The texts that pages and machines show. Until a moderator has looked at a marked listing, none of them leads away (R74). */
export const shownTexts = ({ lookAlike, ...texts }: Texts & { lookAlike: unknown }): Texts =>
  lookAlike === null
    ? { description: texts.description, twitterHandle: texts.twitterHandle, website: texts.website }
    : { description: shownDescription(texts.description, lookAlike), twitterHandle: '', website: null };
