import { expect, test } from 'vitest';
import { cutToWidth, textWidth } from './text-width.ts';

const LARGE = { sizePx: 1_000 };
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));

test('each printable ASCII character is as wide as in Arial, to a twentieth of the font size', () => {
  // Widths in the font's file, in thousandths of the font size, from the space to the tilde.
  const arial = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
  ];
  const off = PRINTABLE.filter((char, i) => Math.abs(textWidth(char, LARGE) - (arial[i] ?? 0)) > 60);
  expect(off).toEqual([]);
  const total = arial.reduce((sum, width) => sum + width, 0);
  expect(Math.abs(textWidth(PRINTABLE.join(''), LARGE) / total - 1)).toBeLessThan(0.01);
});

test.each([
  ['é', 600],
  ['Ж', 600],
  ['ש', 600],
  ['…', 600],
  ['漢', 1_000],
  ['한', 1_000],
  ['😀', 1_000],
  ['👩‍👩‍👧', 1_000],
  ['🇨🇭', 1_000],
])('%s counts as one letter, %i thousandths wide', (letter, width) => {
  expect(textWidth(letter, LARGE)).toBe(width);
});

test('a width scales with the font size, and bold is wider', () => {
  expect(textWidth('Tide', { sizePx: 10 })).toBeCloseTo(textWidth('Tide', { sizePx: 20 }) / 2);
  expect(textWidth('Tide', { sizePx: 10, isBold: true })).toBeCloseTo(textWidth('Tide', { sizePx: 10 }) * 1.08);
});

test('a text that fits stays whole; of another one, as many letters stay as fit before the dots', () => {
  // Nine letters of 556, the dots of 600.
  const text = 'abdeghnop';
  expect(cutToWidth(text, 9 * 556, LARGE)).toBe(text);
  expect(cutToWidth(text, 9 * 556 - 1, LARGE)).toBe('abdeghn…');
  expect(cutToWidth(text, 2 * 556 + 600, LARGE)).toBe('ab…');
  expect(cutToWidth(text, 2 * 556 + 599, LARGE)).toBe('a…');
  expect(cutToWidth('ab  cd', 2 * 556 + 2 * 278 + 600, LARGE)).toBe('ab…');
});

test('a letter of several code points is kept whole or not at all', () => {
  expect(cutToWidth('a👩‍👩‍👧bcde', 556 + 1_000 + 600 - 1, LARGE)).toBe('a…');
  expect(cutToWidth('a👩‍👩‍👧bcde', 556 + 1_000 + 600, LARGE)).toBe('a👩‍👩‍👧…');
});
