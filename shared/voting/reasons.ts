/** Reasons of a vote (R89), in the order in which they are offered. */
export const REASONS = ['team', 'product', 'token', 'risk', 'community'] as const;
export type Reason = (typeof REASONS)[number];

export const REASON_LABELS: Readonly<Record<Reason, string>> = {
  team: 'Team',
  product: 'Product',
  token: 'Token',
  risk: 'Risk',
  community: 'Community',
};

/** Maximum number of reasons of a vote. */
export const REASONS_EACH = 2;
/** Figures need this many voters with standing in a group and direction, and change only with as many new ones. */
export const REASONS_MIN_VOTERS = 10;
/** The same for the figures of the owner. */
export const REASONS_OWNER_MIN_VOTERS = 5;
export const REASONS_OWNER_MIN_NEW = 3;
/** Days from figures of a group and direction to the next. */
export const REASONS_EVERY_DAYS = 7;

interface Figures extends Record<Reason, number> {
  voters: number;
}

const percent = (part: number, whole: number): number => Math.round((100 * part) / whole);

/** The given reasons with their percentage of the voters who gave any, the most frequent first. */
export const sharesOfReasons = (figures: Figures): Array<{ reason: Reason; percentage: number }> =>
  REASONS.map((reason) => ({ reason, percentage: percent(figures[reason], figures.voters) }))
    .filter(({ percentage }) => percentage > 0)
    .toSorted((one, other) => other.percentage - one.percentage);
