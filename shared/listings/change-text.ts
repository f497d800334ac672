/** Words for a change of identity (R60), apart from its figures, which cards need not load. */
import { isolated } from '../text/isolated.ts';
import type { IdentityField, ListingChange } from './identity.ts';
import { plural } from '../numbers/plural.ts';

const WORDS: Record<IdentityField, string> = {
  name: 'name',
  picture: 'picture',
  handle: 'X account',
  website: 'website',
};

/** The first changed part in words; 'name' without one. */
export const changeWord = (what: readonly IdentityField[]): string =>
  Object.entries(WORDS).find(([field]) => what.some((one) => one === field))?.[1] ?? WORDS.name;

let list: Intl.ListFormat | undefined;
const listed = (words: string[]): string => (list ??= new Intl.ListFormat('en', { type: 'conjunction' })).format(words);

/** 'it was renamed from Quiet Frog', 'its picture and website changed'. */
export const changeText = ({ what, name }: Pick<ListingChange, 'what' | 'name'>): string =>
  name === null ? `its ${listed(what.map((field) => WORDS[field]))} changed` : `it was renamed from ${isolated(name)}`;

/** '31 of 43 votes were cast before it was renamed from Quiet Frog' (R60). */
export const changedText = (totalVotes: number, change: ListingChange): string =>
  `${change.votes.toLocaleString('en')} of ${plural(totalVotes, 'vote')} ${change.votes === 1 ? 'was' : 'were'} cast before ${changeText(change)}`;
