/** The Atom feed of new listings and reviews. */
export const ATOM_PATH = '/feed.xml';

/** Header with the start of the next page of a list; missing on the last page. */
export const NEXT_CURSOR_HEADER = 'x-next-cursor';
/** Total number of rows; missing above COUNT_MAX_ROWS. */
export const TOTAL_COUNT_HEADER = 'x-total-count';
/** Counting stops here: a poll must not read a large table to its end. */
export const COUNT_MAX_ROWS = 10_000;

/** Position of a page in its list. */
export interface PagePlace {
  /** Where the next page begins; null on the last one. */
  nextCursor: string | null;
  /** Rows of all pages; null above COUNT_MAX_ROWS. */
  total: number | null;
}

/** A page of a list, or its beginning. */
export interface Page<T> extends PagePlace {
  rows: T[];
}
