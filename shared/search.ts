/** A search of projects is no longer than this; the page's field takes no more. */
export const SEARCH_MAX_CHARS = 100;
