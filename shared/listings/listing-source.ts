import { dayText } from '../text/day-text.ts';
import { isolated } from '../text/isolated.ts';

/** How a listing came about (R70): paid for, listed by the admin for free, or part of the catalogue. */
export const LISTING_SOURCES = ['paid', 'free', 'catalogue'] as const;
export type ListingSource = (typeof LISTING_SOURCES)[number];

export const SOURCE_TEXT: Record<ListingSource, string> = {
  paid: 'Paid listing',
  free: 'Free listing',
  catalogue: 'Catalogue',
};

/** 'DeFi · Paid listing', on everything that looks like a card. */
export const categoryText = (category: string, source: ListingSource): string =>
  source === 'free' ? category : `${category} · ${SOURCE_TEXT[source]}`;

export const lookAlikeText = ({ name, since }: { name: string; since: string }): string =>
  `Looks like ${isolated(name)}, listed since ${dayText(since)}`;
