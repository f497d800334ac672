import anyAscii from 'any-ascii';

const MAX_CHARS = 60;
/** Invisible characters must not split a word. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Emoji separate words: their names ('rocket') were not typed. */
const PICTURES = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]/gu;

/**
 * A name as the ASCII part of a URL: 'Café Swap!' → 'cafe-swap', 'Straße' → 'strasse', '火锅' → 'huoguo'; '' when the
 * name cannot be transliterated. For the server only: the tables of the transliteration are large.
 */
export function slugify(name: string): string {
  return anyAscii(name.normalize('NFKC').replace(INVISIBLE, '').replace(PICTURES, ' '))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_CHARS)
    .replace(/-+$/, '');
}
