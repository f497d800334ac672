import { expect, test } from 'vitest';
import { found, PATTERNS } from './patterns.ts';

const PLACES = ['server/a.ts', 'server/a.test.ts', 'web/a.tsx', 'lab/e2e/a.ts'];

test.each(PATTERNS)('finds $example', (pattern) => {
  const file = PLACES.find((place) => pattern.files?.test(place) ?? true) ?? '';
  expect(found(pattern, file, `const a = 1;\n// ${pattern.example} here`)).toHaveLength(1);
  expect(found(pattern, file, 'const b = fork(main, { execArgv: [] });')).toEqual([]);
});

test('leaves out the places that a pattern excepts', () => {
  const pattern = { not: /left-\d/, example: 'left-4', but: 'start', except: ['web/a.tsx: left-4'] };
  expect(found(pattern, 'web/a.tsx', 'left-4 left-2')).toEqual(['web/a.tsx: left-2']);
});
