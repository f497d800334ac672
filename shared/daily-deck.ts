/** Apart from constants.ts, all of which is in the first code that a visitor loads. */

/** The daily deck (R49): its cards, for how long a project counts as new, and the votes from which a tie says something. */
export const DAILY_DECK_CARDS = 10;
export const NEW_PROJECT_DAYS = 7;
export const CLOSE_MIN_VOTES = 10;
