import { expect, test } from 'vitest';
import { rejectedSignatureText } from './signature-texts.ts';

const signatureOf = (flag: number): string => Buffer.from([flag, 1, 2, 3]).toString('base64');

test('a rejected signature mentions an expired login only for a zkLogin wallet [R1]', () => {
  expect(rejectedSignatureText(signatureOf(5), 'x')).toMatch(/^The Google or Apple login of this wallet has expired/);
  for (const signature of [signatureOf(0), signatureOf(3), '', 'not base64'])
    expect(rejectedSignatureText(signature, 'x')).toBe('x');
});
