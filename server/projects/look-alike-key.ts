import unhomoglyph from 'unhomoglyph';

/** Accents and lines on letters of these scripts, and on what is no letter; on letters of other scripts such marks are vowels. */
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

/** Words that say nothing but that this is the one that is meant. */
const CLAIMS = new Set(
  ['official', 'original', 'real', 'true', 'genuine', 'authentic', 'verified', 'the'].map(skeletonOf),
);
const OFFICIAL = skeletonOf('official');

/**
 * What a name has in common with all that people take for it: its skeleton by UTS 39 (Unicode's table of letters that look alike, as
 * unhomoglyph ships it) without case, accents, spaces, punctuation, symbols, and words like 'official'. Names that share a key are to be looked
 * at by a person, not refused: honest names can share one, too. Of a name without letters, the name itself.
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
