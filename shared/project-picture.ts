/**
 * Size of the picture on a project's page. Not in constants.ts, all of which is in the first code that a visitor loads.
 */
export const PROJECT_PICTURE_SIZES = '(width < 48rem) min(38vw, 10rem), 22rem';
