/** Endless motion costs batteries as long as a page is open, and users could not stop it (WCAG 2.2.2). */
import { expect, test } from 'vitest';
import { read, sources } from './sources.ts';

/** Each one ends with its cause: a button that disappears, a payment, or a wallet that is awaited. */
const ENDLESS: readonly string[] = [
  'web/payments/open-payments.tsx: animate-spin',
  'web/voting/voting.module.css: ring linear infinite',
  'web/wallet/connection-status.tsx: animate-ping',
];
const PATTERN = /animate-(?:spin|ping|pulse|bounce)\b|[\w -]*\binfinite\b|iterations: (?:Number\.POSITIVE_)?Infinity/g;

test('only elements that wait for something move without an end', async () => {
  const files = (await sources()).filter((file) => /^web\/.+\.(css|tsx?)$/.test(file) && !/\.test\.tsx?$/.test(file));
  const found = files.flatMap((file) => [...read(file).matchAll(PATTERN)].map(([words]) => `${file}: ${words.trim()}`));
  expect(found.sort()).toEqual(ENDLESS);
});
