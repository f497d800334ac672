/**
 * The one rule for text that people type, used by the page and the server. What a browser draws as nothing at all would let a
 * name pretend to be another or a review be empty, so it goes; where it changes what is drawn (emoji, Arabic, Indic scripts), it stays.
 */

/** What is drawn as nothing or only steers the direction of its neighbors: format controls, fillers, tags, half surrogate pairs. */
const INVISIBLE = [
  '\\p{Default_Ignorable_Code_Point}',
  '\\p{Noncharacter_Code_Point}',
  '\\p{Cc}',
  '\\p{Cs}',
  // Format controls, but not the Arabic, Syriac and Kaithi number signs, which are of the same category and drawn.
  '[\\u2028-\\u202e\\u2066-\\u2069\\ufff9-\\ufffc\\u{13430}-\\u{1345f}]',
  // Braille blank, null notehead, Khitan filler.
  '[\\u2800\\u{1d159}\\u{16fe4}]',
].join('|');

/** One emoji as it is drawn: a picture, perhaps with its presentation and a skin tone. */
const EMOJI = '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?';
/** Scripts whose letters change shape around a joiner or a non-joiner. */
const SHAPED_SCRIPTS =
  'Arab Syrc Nkoo Mong Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Newa Thai Laoo'.split(' ');
const SHAPED = `(?!\\p{Default_Ignorable_Code_Point})[${SHAPED_SCRIPTS.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]`;

/** Where an invisible character belongs to what is drawn. */
const MEANT = [
  // The flags of England, Scotland and Wales: the only ones that are spelled with tags.
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  // Families, professions, flags of several pictures.
  `${EMOJI}(?:\\u200d${EMOJI})*`,
  // Keycaps.
  '[0-9#*]\\ufe0f\\u20e3',
  // Persian words of several parts, conjuncts of Indic scripts, and the chillu letters that may end a Malayalam word.
  `${SHAPED}[\\u200c\\u200d](?=${SHAPED})`,
  '\\u0d4d\\u200d',
].join('|');

const CLEANING = new RegExp(`(${MEANT})|${INVISIBLE}`, 'gu');
const ANY_INVISIBLE = new RegExp(INVISIBLE, 'gu');
/** What people type needs one, and a second that finds nothing. */
const MAX_ROUNDS = 3;
/** Letters, digits, punctuation, symbols: marks, spaces and private-use characters alone show nothing. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u;

/** \s without the byte order mark, which is no space but invisible. */
const SPACES = /(?:(?!\ufeff)\s)+/g;

/**
 * What goes can let marks change places, or join their letter, so that a joiner that belonged to them no longer does. Text that nests these
 * deeper than writing needs loses all of them: rounds without a bound would take time that grows with the square of the length.
 */
function visible(text: string): string {
  let seen = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = seen.replace(CLEANING, (_all, meant: string | undefined) => meant ?? '').normalize('NFC');
    if (next === seen) return next;
    seen = next;
  }
  return seen.replace(ANY_INVISIBLE, '').normalize('NFC');
}

/**
 * Text of several lines as it is stored: NFC, line ends as \n, no stretches of spaces or of empty lines, nothing invisible that
 * does not belong to an emoji or to its script; '' when nothing visible is left. Cleaning twice changes nothing more.
 */
export function cleanText(text: string): string {
  const lines = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').split('\n');
  const cleaned = lines.map((line) => cleanLine(line)).join('\n');
  return cleaned.replace(/\n{3,}/g, '\n\n').trim();
}

/** As cleanText, on one line. */
export function cleanLine(text: string): string {
  const cleaned = visible(text.replace(SPACES, ' ')).replace(SPACES, ' ').trim();
  return VISIBLE.test(cleaned) ? cleaned : '';
}
