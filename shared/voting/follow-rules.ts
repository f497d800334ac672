/** Projects that a user follows by their star (R91). */
export const FOLLOWS_MAX = 200;
/** Percentage points within a week from which followers are notified, and least verified votes on both days. */
export const TURN_POINTS = 10;
export const TURN_DAYS = 7;
export const TURN_MIN_VOTES = 10;
/** Verified votes by which the lead of one direction must have moved. One voter who changes their mind moves it by two. */
export const TURN_LEAD_VOTES = 5;
