import unhomoglyph from 'unhomoglyph';

/** Marks on Latin, Greek and Cyrillic letters and on non-letters; in other scripts such marks are vowels. */
const DECORATION = /(?<=(?:[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]|[^\p{L}\p{M}])\p{M}*)\p{M}/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const NO_LETTERS = /[^\p{L}\p{N}\p{M}]+/u;
const LETTERS = /\p{L}/gu;
/** A trademark sign as a symbol, or as the small raised letters that draw one. */
const SIGNS = /\p{S}|ᵀᴹ|ˢᴹ/gu;

const plain = (text: string): string =>
  text.normalize('NFKD').replaceAll(INVISIBLE, '').replaceAll(DECORATION, '').toWellFormed();

/** NFKD writes some signs as words ('™' as 'TM'); a letter in a circle remains a letter. */
const dropSigns = (text: string): string =>
  text.replaceAll(SIGNS, (sign) => ((sign.normalize('NFKD').match(LETTERS) ?? []).length > 1 ? '' : sign));

/** UTS 39 before and after lower case, in which I, l and i are one letter, and vv is a w. */
function skeletonOf(text: string): string {
  const upright = plain(unhomoglyph(plain(dropSigns(text)))).toLowerCase();
  return plain(unhomoglyph(upright)).toLowerCase().replaceAll('i', 'l').replaceAll('vv', 'w');
}

const CLAIMS = new Set(
  ['official', 'original', 'real', 'true', 'genuine', 'authentic', 'verified', 'the'].map(skeletonOf),
);
const OFFICIAL = skeletonOf('official');

function keyOf(name: string): string {
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

/** Digits and signs, then letters that UTS 39 tells from the Latin ones that they imitate. */
const IMITATIONS = '0134578$@!+ωεδլժքꞨꞩᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ';
const IMITATED = 'oleastbsaitwedldpssabcdefghijklmnoprstuvwyz';
export const imitated = new Map(Array.from(IMITATIONS, (sign, at) => [sign, IMITATED.charAt(at)]));
/** First letters of the alphabets in dark circles, in dark squares, and of flags. */
const BOXED_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];
for (const first of BOXED_ALPHABETS)
  for (const [at, letter] of Array.from('abcdefghijklmnopqrstuvwxyz').entries())
    imitated.set(String.fromCodePoint(first + at), letter);

const readAsLetters = (name: string): string => Array.from(name, (sign) => imitated.get(sign) ?? sign).join('');

/**
 * Names that look alike have a key in common: the UTS 39 skeleton without case, accents, spaces, punctuation and words like 'official', or the same
 * with digits and signs read as the letters they stand for. Honest names can share one, so a person reviews them (R74).
 */
export const lookAlikeKeys = (name: string): string[] => [...new Set([keyOf(name), keyOf(readAsLetters(name))])];
