export const SEARCH_MAX_CHARS = 100;
