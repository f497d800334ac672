/** The Atom feed of new listings and reviews. */
export const ATOM_PATH = '/feed.xml';

/** A list comes in pages: where the next one begins travels in this header; on the last page it is missing. */
export const NEXT_CURSOR_HEADER = 'x-next-cursor';
/** How many rows all pages hold; missing where there are more than COUNT_MAX_ROWS of them. */
export const TOTAL_COUNT_HEADER = 'x-total-count';
/** Counting goes this far: a poll must not read a large table to its end. */
export const COUNT_MAX_ROWS = 10_000;
