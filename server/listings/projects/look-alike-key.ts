import unhomoglyph from 'unhomoglyph';

/**
 * Accents and strokes on letters of these scripts, and on other characters than letters; on letters of other scripts
 * such marks are vowels.
 */
const DECORATION = /(?<=(?:[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]|[^\p{L}\p{M}])\p{M}*)\p{M}/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const NO_LETTERS = /[^\p{L}\p{N}\p{M}]+/u;

const plain = (text: string): string =>
  text.normalize('NFKD').replaceAll(INVISIBLE, '').replaceAll(DECORATION, '').toWellFormed();

/** The text in letters that look the same: UTS 39 before and after lower case, in which I, l and i are one letter. */
function skeletonOf(text: string): string {
  const upright = plain(unhomoglyph(plain(text))).toLowerCase();
  return plain(unhomoglyph(upright)).toLowerCase().replaceAll('i', 'l');
}

/** Words that only claim that this is the real one. */
const CLAIMS = new Set(
  ['official', 'original', 'real', 'true', 'genuine', 'authentic', 'verified', 'the'].map(skeletonOf),
);
const OFFICIAL = skeletonOf('official');

/**
 * The common key of all names that look like this one: its skeleton by UTS 39 (Unicode's table of letters that look
 * alike, as unhomoglyph ships it) without case, accents, spaces, punctuation, symbols, and words like 'official'. Names
 * that share a key are for a person to review, not to be refused: honest names can share one, too. A name without
 * letters is its own key.
 */
export function lookAlikeKey(name: string): string {
  const words = skeletonOf(name).split(NO_LETTERS).filter(Boolean);
  const telling = words.filter((word) => !CLAIMS.has(word));
  const key = (telling.length > 0 ? telling : words).join('');
  const bare = key.startsWith(OFFICIAL)
    ? key.slice(OFFICIAL.length)
    : key.endsWith(OFFICIAL)
      ? key.slice(0, -OFFICIAL.length)
      : key;
  return bare || key || name.normalize('NFKC').replaceAll(/\s/g, '');
}
