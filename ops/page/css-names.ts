import path from 'node:path';

export const MODULE_SUFFIX = '.module.css';

/**
 * The name that a class or an animation of a CSS module gets in the built page: `.card` of deck.module.css is `.deck_card`.
 * Without a hash: the browser and the server's first paint get the same, and the landing page's first JavaScript stays small.
 * That no two modules have the same file name is checked (css-isolation.ts).
 */
export function scopedName(name: string, file: string): string {
  return `${path.basename(file.replace(/[?#].*$/, ''), MODULE_SUFFIX)}_${name}`;
}
