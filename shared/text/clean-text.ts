/**
 * The one rule for typed text, used by the page and the server. Characters that a browser does not draw could make a
 * name look like another one, or a review empty, so they are removed, except where they change the visible text (emoji,
 * Arabic, Indic scripts).
 */

/**
 * Characters that are invisible or only control the direction of their neighbors: format controls, fillers, tags, half
 * surrogate pairs.
 */
const INVISIBLE = [
  '\\p{Default_Ignorable_Code_Point}',
  '\\p{Noncharacter_Code_Point}',
  '\\p{Cc}',
  '\\p{Cs}',
  // Format controls without the Arabic, Syriac and Kaithi number signs, which are visible.
  '[\\u2028-\\u202e\\u2066-\\u2069\\ufff9-\\ufffc\\u{13430}-\\u{1345f}]',
  '[\\u2800\\u{1d159}\\u{16fe4}]',
].join('|');

/** One emoji as drawn: a picture, perhaps with its presentation and a skin tone. */
const EMOJI = '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?';
/** Scripts whose letters change shape around a joiner or a non-joiner. */
const SHAPED_SCRIPTS =
  'Arab Syrc Nkoo Mong Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Newa Thai Laoo'.split(' ');
const SHAPED = `(?!\\p{Default_Ignorable_Code_Point})[${SHAPED_SCRIPTS.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]`;

const MEANT = [
  // The flags of England, Scotland and Wales: the only ones that are spelled with tags.
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  `${EMOJI}(?:\\u200d${EMOJI})*`,
  '[0-9#*]\\ufe0f\\u20e3',
  // Persian words of several parts, conjuncts of Indic scripts, and the chillu letters that may end a Malayalam word.
  `${SHAPED}[\\u200c\\u200d](?=${SHAPED})`,
  '\\u0d4d\\u200d',
].join('|');

const CLEANING = new RegExp(`(${MEANT})|${INVISIBLE}`, 'gu');
const ANY_INVISIBLE = new RegExp(INVISIBLE, 'gu');
const MAX_ROUNDS = 3;
/** Letters, digits, punctuation, symbols. Marks, spaces and private-use characters alone are not visible text. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u;

/** \s without the byte order mark, which is invisible and not a space. */
const SPACES = /(?:(?!\ufeff)\s)+/g;

/**
 * A removal can let marks change places or join their letter, so that a joiner that belonged to them no longer does.
 * Text that nests these deeper than writing needs loses all of them: unbounded rounds would take time that grows with
 * the square of the length.
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
 * Text of several lines as stored: NFC, line ends as \n, no runs of spaces or of empty lines, no invisible characters
 * except those of an emoji or its script; '' when nothing visible is left. Cleaning twice changes nothing more.
 */
export function cleanText(text: string): string {
  const lines = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').split('\n');
  const cleaned = lines.map((line) => cleanLine(line)).join('\n');
  return cleaned.replace(/\n{3,}/g, '\n\n').trim();
}

export function cleanLine(text: string): string {
  const cleaned = visible(text.replace(SPACES, ' ')).replace(SPACES, ' ').trim();
  return VISIBLE.test(cleaned) ? cleaned : '';
}
