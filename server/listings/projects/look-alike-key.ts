import unhomoglyph from 'unhomoglyph';

/** Marks on Latin, Greek and Cyrillic letters and on non-letters; in other scripts such marks are vowels. */
const DECORATION = /(?<=(?:[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]|[^\p{L}\p{M}])\p{M}*)\p{M}/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const NO_LETTERS = /[^\p{L}\p{N}\p{M}]+/u;

const plain = (text: string): string =>
  text.normalize('NFKD').replaceAll(INVISIBLE, '').replaceAll(DECORATION, '').toWellFormed();

/** UTS 39 before and after lower case, in which I, l and i are one letter. */
function skeletonOf(text: string): string {
  const upright = plain(unhomoglyph(plain(text))).toLowerCase();
  return plain(unhomoglyph(upright)).toLowerCase().replaceAll('i', 'l');
}

const CLAIMS = new Set(
  ['official', 'original', 'real', 'true', 'genuine', 'authentic', 'verified', 'the'].map(skeletonOf),
);
const OFFICIAL = skeletonOf('official');

/**
 * Names that look alike share this key: the UTS 39 skeleton without case, accents, spaces, punctuation and words like 'official'. Honest names can
 * share one, so a person reviews them.
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
