import { BadgeCheck, Flame, Sparkles, TrendingUp, type LucideIcon } from 'lucide-react';
import { SORTS, type Sort } from '#shared/sort-names.ts';

interface SortLook {
  label: string;
  Icon: LucideIcon;
  subtitle: string;
  /** Explanation beyond the subtitle; null where that says it all. */
  meaning: string | null;
}

export const SORT_LOOKS: Record<Sort, SortLook> = {
  bullish: {
    label: 'Bullish',
    Icon: TrendingUp,
    subtitle: 'All projects ranked by bullish voting percentage',
    meaning: null,
  },
  verified: {
    label: 'Verified',
    Icon: BadgeCheck,
    subtitle: 'All projects ranked by their verified votes',
    meaning:
      'The lower bound of the bullish share over verified votes, those of wallets that hold SUI day after day. Thousands of empty wallets move nothing here.',
  },
  new: {
    label: 'New',
    Icon: Sparkles,
    subtitle: 'All projects, those listed last first',
    meaning: 'By the day of the listing. A renewal does not make a project new again.',
  },
  trending: {
    label: 'Trending',
    Icon: Flame,
    subtitle: 'All projects ranked by the verified votes of the last seven days',
    meaning: 'How sure their bullish share is, times how many they are; those of today count most.',
  },
};

export const SORT_OPTIONS = SORTS.map((value) => {
  const { label, Icon } = SORT_LOOKS[value];
  return {
    value,
    label: (
      <>
        <Icon aria-hidden size={18} className="max-xl:hidden" /> {label}
      </>
    ),
  };
});
