import { expect, test } from 'vitest';
import { drawBadge } from './badge.ts';
import { textWidth } from './text-width.ts';

const FACTS = {
  votes: { bullish: 9, bearish: 3 },
  verified: { bullish: 0, bearish: 0 },
  now: null,
  changed: undefined,
  expiresAt: '2027-01-01T00:00:00.000Z',
  hasEnded: false,
  day: '2026-11-28',
};
const textsOf = (name: string) => drawBadge({ name, listing: {} }, FACTS, 'auto').match(/<text .*?<\/text>/g) ?? [];

test.each([
  'สวัสดีชาวโลก',
  'გამარჯობა',
  'Բարեւ',
  'नमस्ते दुनिया',
  'ሰላም',
  'வணக்கம்',
  'ꓡꓲꓢꓴ',
  'مرحبا',
  'Привет',
  '漢字',
  '🦊 fox',
])('draws %s at its natural width, and never beyond its place [R52]', (name) => {
  const [drawn, ...others] = textsOf(name);
  expect(drawn).toContain('clip-path="url(#t)"');
  expect(drawn).not.toContain('textLength');
  for (const other of others) expect(other).toContain('textLength');
});

test.each(['Coral', 'Élan Vital', 'Łódź'.replace('Ł', 'L'), 'A–B · “C”'])(
  'keeps %s, whose width is known, from growing in another font [R52]',
  (name) => {
    const width = textWidth(name, { sizePx: 15, isBold: true }).toFixed(1);
    expect(textsOf(name)[0]).toContain(`textLength="${width}"`);
  },
);
