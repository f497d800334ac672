import { expect, test } from 'vitest';
import { unitOffences } from './unit-word.ts';

test('finds texts that call Snaps tokens: strings, templates, JSX, and words that are counted', () => {
  const source = `
    const a = 'You have no tokens'; const label = 'Tokens'; const b = \`Burned \${n} tokens\`;
    const c = plural(n, 'token'); const d = <p>The {n} tokens stay</p>; const e = <b title="Token supply" />;`;
  const found = new Set(unitOffences('web/a.tsx', source).map((line) => /"(.*)"/.exec(line)?.[1]));
  expect(found).toEqual(
    new Set(['You have no tokens', 'Tokens', 'Burned … tokens', '… token', 'The … tokens stay', 'Token supply']),
  );
});

test('allows names, SQL, fixed texts of the specification and other things called tokens', () => {
  const source = `
    const key = 'tokens'; const rows = sql\`SELECT tokens FROM votes\`; const title = 'Withdraw Tokens';
    const pay = \`+\${n} TOKENS\`; const header = 'without a valid X-Admin-Token';`;
  expect(unitOffences('web/a.tsx', source)).toEqual([]);
});
