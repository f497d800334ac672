/** Apart from constants.ts, all of which is in the first code that a visitor loads. */

/**
 * The daily deck (R49): its cards, the time for which a project counts as new, and the number of votes from which a tie
 * is meaningful.
 */
export const DAILY_DECK_CARDS = 10;
export const NEW_PROJECT_DAYS = 7;
export const CLOSE_MIN_VOTES = 10;
