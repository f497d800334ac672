import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { countChars } from './text.ts';

/** Characters that browsers do not draw at all, by their code points. */
const INVISIBLE = [
  0x00, 0x07, 0x1b, 0x7f, 0x80, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c,
  0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2066, 0x2069, 0x206a, 0x2800,
  0x3164, 0xd800, 0xdfff, 0xfe00, 0xfe0e, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffc, 0xffff, 0x1d159, 0x1d173, 0x16fe4,
  0xe0001, 0xe0020, 0xe0041, 0xe007f, 0xe0100, 0xe01ef,
].map((code) => [`U+${code.toString(16).toUpperCase().padStart(4, '0')}`, String.fromCodePoint(code)] as const);

const anyText = fc.string({ unit: 'binary', maxLength: 200 });
/** Text in which invisible characters are next to everything that they may belong to. */
const tangled = fc
  .array(
    fc.constantFrom(
      ...INVISIBLE.map(([, char]) => char),
      ...Array.from('aB1# \n\t👩🚀🏴🏽❤⚕ح्कമ്\u200d\u030a\u064b\u0301\u0338↔é가\u20e3\u{e0067}\u{e0062}'),
    ),
    { maxLength: 30 },
  )
  .map((chars) => chars.join(''));

describe('invisible text is cleaned to an empty text [S5.6 S5.3]', () => {
  test.each(INVISIBLE)('removes %s alone, often, and among spaces', (_name, char) => {
    for (const text of [char, char.repeat(50), ` ${char}\n${char}\u00a0${char}`]) {
      expect(cleanLine(text)).toBe('');
      expect(cleanText(text)).toBe('');
    }
  });

  test.each(INVISIBLE)('%s cannot make a different name of a name', (_name, char) => {
    expect(cleanLine(`${char}Ti${char}de ${char} Loop${char}`)).toBe('Tide Loop');
  });

  test('removing characters keeps everything that belongs to an emoji or a script', () => {
    for (const kept of ['👩🏽‍🚀', '❤️‍🔥', 'می‌خواهم', 'ශ්‍රී'])
      expect(cleanLine(`\u200bTide ${kept}\u2060`)).toBe(`Tide ${kept}`);
  });

  test('marks, spaces and private-use characters alone are cleaned to an empty text', () => {
    for (const text of ['\u0301', '\u20dd', '\u3000\u2003', '\ue000', '\u1680']) expect(cleanLine(text)).toBe('');
  });
});

describe('visible text stays', () => {
  test.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['skin tones and professions', '👩🏽‍🚀 🧑🏿‍🤝‍🧑🏻'],
    ['a heart on fire', '❤️‍🔥'],
    ['the rainbow and the pirate flag', '🏳️‍🌈 🏴‍☠️'],
    ['flags of letters', '🇨🇭🇯🇵'],
    ['the flags of England, Scotland and Wales', '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
    ['keycaps', '1️⃣ #️⃣ *️⃣'],
    ['presentation', '☕︎ ☕️ ™️'],
    ['Persian with non-joiners', 'می‌خواهم کتاب‌ها را'],
    ['Arabic with vowels and number signs', 'مَرْحَبًا \u0600١٢'],
    ['Devanagari conjuncts', 'क्‍ष र्‍य नमस्ते'],
    ['Sinhala', 'ශ්‍රී ලංකාව'],
    ['Malayalam chillus', 'അവന്‍'],
    ['Bengali', 'র‍্যাব'],
    ['Hebrew, Chinese, Thai, Korean', 'שלום 火锅 ไทย 한국'],
    ['symbols alone', '!? → ½ €'],
  ])('%s', (_name, text) => {
    expect(cleanLine(text)).toBe(text);
    expect(cleanText(text)).toBe(text);
  });

  test('removes a joiner that changes nothing: between letters, at the ends, twice, after a space', () => {
    expect(cleanLine('Ca\u200dt')).toBe('Cat');
    expect(cleanLine('\u200dسلام\u200c')).toBe('سلام');
    expect(cleanLine('می\u200c\u200cخواهم')).toBe('میخواهم');
    expect(cleanLine('🚀\u200d')).toBe('🚀');
    expect(cleanLine('Rocket\ufe0f 7\ufe0f')).toBe('Rocket 7');
    expect(cleanLine('🏴\u{e007a}\u{e007a}\u{e007f}')).toBe('🏴');
  });
});

describe('cleaning properties', () => {
  test('white space is reduced to single spaces and line breaks, on one line or several', () => {
    expect(cleanLine('  Tide\u202e loop\u0000 \n\u3000 pool\u00a0')).toBe('Tide loop pool');
    expect(cleanText('  مرحبا   🚀\r\nline\t\ttwo \u2028three\n\n\n\n\nfour\n ')).toBe(
      'مرحبا 🚀\nline two\nthree\n\nfour',
    );
  });

  test.each([
    // A virama whose joiner is one character further away when its marks are in order.
    ['marks out of order', '\u0301\u0d4d\u200d🏽'],
    ['marks that what goes has kept out of order', '\u0301\u034f\u0d4d\u200d🏽'],
    ['a mark that joins its letter when what stands between them goes', 'a\u200d\u030a\u200dب'],
    ['each joiner uncovering the next', `\u0301\u034f${'\u0d4d\u200d'.repeat(40)}`],
  ])('cleaning twice equals cleaning once: %s', (_name, text) => {
    for (const clean of [cleanText, cleanLine]) expect(clean(clean(`${text}x`))).toBe(clean(`${text}x`));
  });

  test('cleaning twice equals cleaning once, and leaves well-formed NFC without white space at its ends', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, tangled), (text) => {
        for (const clean of [cleanText, cleanLine]) {
          const once = clean(text);
          expect(clean(once)).toBe(once);
          expect(once.normalize('NFC')).toBe(once);
          expect(once.isWellFormed()).toBe(true);
          expect(once.trim()).toBe(once);
          expect(once).not.toMatch(/[^\S\n]{2}|\n{3}/);
        }
        expect(cleanLine(text)).not.toContain('\n');
      }),
      runs(2000),
    );
  });

  test('cleaned text is empty or visible, and not longer than NFC makes it [R15]', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, tangled), (text) => {
        const line = cleanLine(text);
        expect(line === '' || /[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u.test(line)).toBe(true);
        expect(countChars(line)).toBeLessThanOrEqual(countChars(text.normalize('NFC')));
      }),
      runs(2000),
    );
  });

  test('invisible characters scattered over a plain name never change it', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9.,'&-]{1,12}( [A-Za-z0-9.,'&-]{1,12}){0,3}$/);
    // Two halves of a surrogate pair side by side would form a visible character.
    const whole = INVISIBLE.map(([, char]) => char).filter((char) => char.isWellFormed());
    const strewn = fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...whole)));
    fc.assert(
      fc.property(name, strewn, (plain, inserted) => {
        const chars = Array.from(plain);
        for (const [at, char] of inserted) chars.splice(at, 0, char);
        expect(cleanLine(chars.join(''))).toBe(plain);
      }),
      runs(),
    );
  });
});
