import { expect, test } from 'vitest';
import { findWords, offencesIn, RULES } from './words.ts';

test('each rule finds its example, also over the end of a line', () => {
  for (const { example } of RULES) {
    const [first = '', ...more] = example.split(' ');
    const found = offencesIn('a.ts', `// Of ${first}\n  // ${more.join(' ')} here`);
    expect([example, found.length]).toEqual([example, 1]);
  }
});

test('a word is allowed only where the list says so', () => {
  expect(offencesIn('shared/profile-rules.ts', "'helpdesk'")).toEqual([]);
  expect(offencesIn('shared/rules.ts', "'helpdesk'")).toEqual([
    'shared/rules.ts: "helpdesk", say admin panel, signInAsAdmin',
  ]);
});

test('code, SQL and documents use the words of the field', async () => {
  expect(await findWords()).toEqual([]);
});
