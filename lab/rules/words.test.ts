import { expect, test } from 'vitest';
import { proseOf } from './prose.ts';
import { offencesIn, RULES, SENTENCES, sentenceOffences } from './words.ts';

test('each rule finds its example, also across the end of a line', () => {
  for (const { example } of RULES) {
    const [first = '', ...more] = example.split(' ');
    const found = offencesIn('a.ts', `// Of ${first}\n  // ${more.join(' ')} here`);
    expect([example, found.length]).toEqual([example, 1]);
  }
});

test('each pattern of a sentence is found in comments, titles, documents and texts of the API, and not in code', () => {
  for (const { example, but, in: kinds = ['comment', 'title', 'document', 'text'] } of SENTENCES) {
    const sources: Record<string, [file: string, source: string]> = {
      comment: ['web/a.ts', `const a = 1;\n/**\n * ${example.replace(' ', '\n * ')}\n */`],
      title: ['web/a.test.ts', `test.each([1])('${example}', () => {});`],
      document: ['docs/a.md', `# A\n\n${example}`],
      text: ['shared/a.ts', `const a = { summary: '${example} here' };`],
    };
    for (const [kind, [file, source]] of Object.entries(sources)) {
      const found = sentenceOffences(file, proseOf(file, source)).filter((offence) => offence.endsWith(but));
      expect([example, kind, found.length]).toEqual([example, kind, kinds.some((held) => held === kind) ? 1 : 0]);
    }
    expect(sentenceOffences('web/a.ts', proseOf('web/a.ts', `say('${example}'); // oxlint-disable-line`))).toEqual([]);
  }
});

test('comments of SQL, CSS and shell scripts are read like those of TypeScript', () => {
  const source = { 'a.sql': 'SELECT 1; -- nobody', 'a.css': 'a {}\n/* nobody */', 'a.sh': '#!/bin/sh\n# nobody' };
  for (const [file, text] of Object.entries(source))
    expect(sentenceOffences(file, proseOf(file, text))).toHaveLength(1);
});
