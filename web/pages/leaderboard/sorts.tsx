import type { Sort } from '#shared/listings/sort-names.ts';

interface SortLook {
  label: string;
  subtitle: string;
  /** Explanation beyond the subtitle; null where that says it all. */
  meaning: string | null;
}

export const SORT_LOOKS: Record<Sort, SortLook> = {
  bullish: {
    label: 'Bullish',
    subtitle: 'All projects ranked by bullish voting percentage',
    meaning: null,
  },
  verified: {
    label: 'Verified',
    subtitle: 'All projects ranked by their verified votes',
    meaning:
      'The bullish share that we are 95% sure of, by votes of wallets that hold SUI. Empty wallets move nothing here.',
  },
  new: {
    label: 'New',
    subtitle: 'All projects, newest listing first',
    meaning: 'By listing date. Renewing does not make a project new.',
  },
  trending: {
    label: 'Trending',
    subtitle: 'All projects ranked by the verified votes of the last seven days',
    meaning: 'Strong, recent support first. Votes of the last day count most.',
  },
};
