/** Maximum length of a search of projects; the page's field has the same limit. */
export const SEARCH_MAX_CHARS = 100;
