/** The Atom feed of new listings and reviews. */
export const ATOM_PATH = '/feed.xml';

export const NEXT_CURSOR_HEADER = 'x-next-cursor';
/** Total number of rows; missing above COUNT_MAX_ROWS. */
export const TOTAL_COUNT_HEADER = 'x-total-count';
/** The last closed day: all figures of a list that are not live are of that day (R94). */
export const FIGURES_ON_HEADER = 'x-figures-on';
/** Counting stops here: a poll must not read a large table to its end. */
export const COUNT_MAX_ROWS = 10_000;

export interface PagePlace {
  nextCursor: string | null;
  /** Rows of all pages; null above COUNT_MAX_ROWS. */
  total: number | null;
}

export interface Page<T> extends PagePlace {
  rows: T[];
}
