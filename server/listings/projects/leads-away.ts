import tlds from 'tlds' with { type: 'json' };
import unhomoglyph from 'unhomoglyph';
import { imitated } from './look-alike-keys.ts';

/** Listed by IANA, and the name services of wallets. */
const TOP_LEVEL = new Set([...tlds, 'sui', 'eth', 'sol', 'bnb', 'onion']);
/** Top-level domains that begin no sentence, so that they lead away after a full stop and a space, too. */
const NO_WORD = 'com|org|io|xyz|gg|cc|biz|ly';

const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
const LOOSE_MARKS = /(?<=[\p{Script=Latin}\p{N}\p{P}])[\p{Mn}\p{Me}]+/gu;
/** UTS 46 maps the ideographic full stop to a dot, and NFKC its other forms. */
const DOTS = /。/g;
/** Signs that readers, but no browsers, take for a dot. */
const DOT_IMITATIONS = /[•‧∙⋅・ꞏ⸱⸳᛫۔܁܂ꓸ𐄁●◦∘⊙]/gu;
const COLON_IMITATIONS = /[∶꞉ː։׃]/g;
const OPENING = String.raw`[[({<'"“‘«]`;
const CLOSING = String.raw`[\])}>'"”’»]`;
const BRACKETED_DOT = new RegExp(`\\s*${OPENING}\\s*(?:[.·]|d[o0]t|punkt|punto|точка|点)\\s*${CLOSING}\\s*`, 'giu');
const BRACKETED_AT = new RegExp(`\\s*${OPENING}\\s*at\\s*${CLOSING}\\s*`, 'giu');
const SPACED_LETTERS = /(?<![\p{L}\p{N}])[a-z](?: [a-z])+(?![\p{L}\p{N}])/giu;
const WORD = /[\p{L}\p{N}]+/gu;
const DOTTED_WORDS = /[\p{L}\p{N}.·-]+/gu;

const ASCII = /^[\x20-\x7e·]+$/;
const LATIN = /^[\p{Script=Latin}\p{N}\p{P}]+$/u;
const IS_DIGIT = /\p{Nd}/u;

/** Unicode keeps the ten digits of a script together and in order. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  let below = 0;
  while (IS_DIGIT.test(String.fromCodePoint(code - below - 1))) below += 1;
  return String(below % 10);
}

/** UTS 39 for foreign letters only: it also writes m as rn and 1 as l. */
function latinOf(sign: string): string {
  const latin = imitated.get(sign.toLowerCase()) ?? unhomoglyph(sign);
  return ASCII.test(latin) ? latin : sign;
}

function readAsLatin(text: string, whole: RegExp): string {
  const latin = text.replace(/[^\x20-\x7e·]/gu, latinOf);
  return whole.test(latin) ? latin : text;
}

/** The text as browsers and readers take it: UTS 46 and 39, with the disguises of dots, colons, at signs and digits taken off. */
function undisguise(text: string): string {
  return text
    .normalize('NFKC')
    .replace(IGNORED, '')
    .replace(LOOSE_MARKS, '')
    .replace(DOTS, '.')
    .replace(DOT_IMITATIONS, '·')
    .replace(COLON_IMITATIONS, ':')
    .replaceAll('∷', '::')
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(/\p{So}/gu, latinOf)
    .replace(BRACKETED_DOT, '.')
    .replace(BRACKETED_AT, '@')
    .replace(SPACED_LETTERS, (letters) => letters.replaceAll(' ', ''))
    .replace(WORD, (word) => (/[a-z]/i.test(word) ? readAsLatin(word, ASCII) : word))
    .replace(DOTTED_WORDS, (words) => readAsLatin(words, LATIN));
}

const LINKS = [
  /:\/\/|\bh(?:tt|xx)ps?\b|\bxn--/i,
  /\b(?:ftp|wss?|tg|mailto|sms|ipfs|magnet|intent|javascript|whatsapp|viber|skype)\s*:\s*\S/i,
  /\bw\W?w\W?w(?:[.·]|\s+[a-z\d])/i,
  /\bdiscord\s+gg\b|\bt\s+me\s*\//i,
  new RegExp(`[\\p{L}\\p{N}]\\s+(?:${NO_WORD}|net)\\s*/`, 'iu'),
  new RegExp(`[\\p{L}\\p{N}](?:\\s*[.·,]\\s*|\\s+d[o0]t\\s+)(?:${NO_WORD})(?![\\p{L}\\p{N}])`, 'iu'),
  // A host whose end is cut off; 'a' and 'i' count as words.
  /(?<=\p{L}{3})[.·][b-hj-z](?![\p{L}\p{N}.])/u,
];
const HANDLES = [/@\s*[\p{L}_]/u, /@[\w.]/];
const HOSTS = [/(?<![\w.])\d{1,3}(?:[.·]\d{1,3}){3}(?![\w.]*\d)/, /(?:[\da-f]{1,4}:){7}/i, /:\s*:/];
const ADDRESSES = [
  /(?<![\p{L}\p{N}])[0o][x×][\da-f]{4}/iu,
  /(?<![\p{L}\p{N}])[0o]\s*[x×]\s*(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{4}/iu,
  /[a-z\d]{32}/i,
  /(?:[\da-f][\s_.·-]?){32}/i,
];
const TELEPHONE_NUMBERS = [
  /\+\s?\(?\d(?:[\s().·/-]{0,2}\d){7,14}(?!\s?[%x×kmb\d])/i,
  /(?<![\d.,]|\d\s)\(?0(?:[\s()·/-]{0,2}\d){8,14}(?!\d)/,
  /(?<![\d.,])\(?[2-9]\d{2}\)?[\s.·/-]{0,2}[2-9]\d{2}[\s.·/-](?!\d?000)\d{4}(?![\d%])/,
  /(?<![\d.,])\d{6,11}(?!0000)\d{4}(?![\d.,%])/,
];
const PATTERNS = [...LINKS, ...HANDLES, ...HOSTS, ...ADDRESSES, ...TELEPHONE_NUMBERS];

/** The word after a dot: Latin letters, even if another script continues without a space. */
const AFTER_DOT =
  /(?<=[\p{L}\p{N}\p{M}\p{So}_-](?:\s+(?=[.]))?)([.·])([a-z]+(?![\p{Script=Latin}\p{M}\d])|[\p{L}\p{M}\p{N}]+)/giu;
/** Not in capitals: 'DOT' is another coin. */
const AFTER_SPELLED_DOT = /[\p{L}\p{N}]\s+[Dd][o0]t\s+([A-Za-z]{3,})(?![\p{L}\p{N}])/gu;

/** True for a text with a link, a host, a handle, an address of a wallet or coin, or a telephone number, however it is disguised (R89). */
export function leadsAway(text: string): boolean {
  const plain = undisguise(text);
  if (PATTERNS.some((pattern) => pattern.test(plain))) return true;
  const spelled = Array.from(plain.matchAll(AFTER_SPELLED_DOT), ([, word = '']) => word);
  const dotted = Array.from(plain.matchAll(AFTER_DOT), ([, dot, word = '']) =>
    dot === '.' || /^[a-z]+$/i.test(word) ? word : '',
  );
  return [...spelled, ...dotted].some((word) => TOP_LEVEL.has(word.toLowerCase()));
}
