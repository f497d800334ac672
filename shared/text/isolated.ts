/** The last four are the first halves of the pairs for U+10800 to U+10FFF and U+1E800 to U+1EFFF. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/;

/**
 * A user's text within a sentence of ours: between U+2068 and U+2069 where it runs from right to left, so that figures
 * beside it keep their places. Elements do it by <Name>.
 */
export const isolated = (text = ''): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
