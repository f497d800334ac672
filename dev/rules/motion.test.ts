/** Movement without an end: it costs batteries as long as a page is open, and nobody could stop it (WCAG 2.2.2). */
import { expect, test } from 'vitest';
import { read, sources } from './sources.ts';

/** Each goes with what it stands for: a button that leaves, a payment, or a wallet that is waited for. */
const ENDLESS: readonly string[] = [
  'web/payments/open-payments.tsx: animate-spin',
  'web/voting/voting.module.css: ring linear infinite',
  'web/wallet/connection-status.tsx: animate-ping',
];
const PATTERN = /animate-(?:spin|ping|pulse|bounce)\b|[\w -]*\binfinite\b|iterations: (?:Number\.POSITIVE_)?Infinity/g;

test('nothing moves without an end but what waits for something', async () => {
  const files = (await sources()).filter((file) => /^web\/.+\.(css|tsx?)$/.test(file) && !/\.test\.tsx?$/.test(file));
  const found = files.flatMap((file) => [...read(file).matchAll(PATTERN)].map(([words]) => `${file}: ${words.trim()}`));
  expect(found.sort()).toEqual(ENDLESS);
});
