import { expect, test } from 'vitest';
import { applyEdit, numbersBeside, toSnippet } from './edits.ts';
import { scriptEdits } from './script-edits.ts';

/** What becomes of a source, by the operator that does it. */
const faults = (source: string, operator: string, file = 'x.ts'): string[] =>
  scriptEdits(file, source)
    .filter((edit) => edit.operator === operator)
    .map((edit) => applyEdit(source, edit));

test('a comparison moves by one and turns around', () => {
  expect(faults('const a = b < c;', 'boundary')).toEqual(['const a = b <= c;']);
  expect(faults('const a = b >= c;', 'comparison')).toEqual(['const a = b < c;']);
});

test('a condition always and never holds, and its parts change too', () => {
  const source = 'if (a && b !== 1) c(d);';
  expect(faults(source, 'condition true')).toEqual(['if (true) c(d);']);
  expect(faults(source, 'condition false')).toEqual(['if (false) c(d);']);
  expect(faults(source, 'logic')).toEqual(['if (a || b !== 1) c(d);']);
  expect(faults(source, 'equality')).toEqual(['if (a && b === 1) c(d);']);
});

test('a loop never begins, but none is made endless by its condition', () => {
  expect(faults('while (a) b();', 'condition false')).toEqual(['while (false) b();']);
  expect(faults('while (a) b();', 'condition true')).toEqual([]);
});

test('numbers become their neighbors, large ones half and double', () => {
  expect(numbersBeside('1')).toEqual(['2', '0']);
  expect(numbersBeside('0')).toEqual(['1']);
  expect(numbersBeside('5_000')).toEqual(['10000', '2500']);
  expect(numbersBeside('10n')).toEqual(['11n', '9n']);
  expect(numbersBeside('0.5')).toEqual([]);
});

test('arithmetic changes its sign, texts that are joined do not', () => {
  expect(faults('const a = b + 1;', 'arithmetic')).toEqual(['const a = b - 1;']);
  expect(faults("const a = b + 'c';", 'arithmetic')).toEqual([]);
});

test('statements, awaits and links of queries go', () => {
  const source = `async function f() { await g(h.where('a', '>', 1).execute()); }`;
  expect(faults(source, 'statement')).toEqual(['async function f() { ; }']);
  expect(faults(source, 'await')).toEqual([`async function f() { g(h.where('a', '>', 1).execute()); }`]);
  expect(faults(source, 'call')).toEqual(['async function f() { await g(h.execute()); }']);
  expect(faults(source, 'boundary')).toEqual([`async function f() { await g(h.where('a', '>=', 1).execute()); }`]);
});

test('logs stay, and so do the columns of a query, types and imports', () => {
  const source = `import { a } from 'b'; function f(c: 'd') { log.info(1); return e.select(['f', 'g']); }`;
  expect(scriptEdits('x.ts', source).map(({ operator }) => operator)).toEqual(['number', 'number']);
});

test('an update sets one value less', () => {
  expect(faults('q.set({ a: b, c: d });', 'property')).toEqual(['q.set({  c: d });', 'q.set({ a: b,  });']);
});

test('controls of components do nothing; what only looks different is left alone', () => {
  const source = `const a = <B onPress={() => c(1)} className={d ? 'e' : 'f'} rows={3} max={4} />;`;
  expect(faults(source, 'handler', 'x.tsx')).toEqual([`const a = <B  className={d ? 'e' : 'f'} rows={3} max={4} />;`]);
  const changed = scriptEdits('x.tsx', source).map(({ operator, text }) => `${operator} ${text}`.trim());
  expect(changed).toEqual(['handler', 'number 2', 'number 0', 'number 5', 'number 3']);
});

test('regular expressions lose their anchors', () => {
  expect(faults('const a = /^b$/u;', 'regex')).toEqual(['const a = /b$/u;', 'const a = /^b/u;']);
});

test('SQL in a template changes around what is put into it', () => {
  const source = 'const a = sql`b <= ${c + "}"} AND d`;';
  expect(faults(source, 'sql boundary')).toEqual(['const a = sql`b < ${c + "}"} AND d`;']);
  expect(faults(source, 'sql condition')).toEqual([
    'const a = sql`true AND d`;',
    'const a = sql`b <= ${c + "}"} AND true`;',
  ]);
});

test('positions hold behind letters of several bytes', () => {
  expect(faults(`const a = '…😀é'; const b = c > 1;`, 'comparison')).toEqual([`const a = '…😀é'; const b = c < 1;`]);
});

test('a fault is named by the functions around it', () => {
  const source = 'class A { b() { return c < 1; } }\nconst d = () => { function e() { return f > 2; } };';
  expect(scriptEdits('x.ts', source).map(({ scope }) => scope)).toEqual([
    ...Array(4).fill('A.b'),
    ...Array(4).fill('d.e'),
  ]);
});

test('words of the language are not looked up in prototypes', () => {
  expect(scriptEdits('x.ts', `a.constructor(b.toString(), 'valueOf');`)).toEqual([]);
});

test('a source that does not parse is refused by its name', () => {
  expect(() => scriptEdits('broken.ts', 'const = ;')).toThrow(/^broken\.ts does not parse/);
});

test('snippets are one line and not endless', () => {
  expect(toSnippet('a\n   b')).toBe('a b');
  expect(toSnippet('x'.repeat(200))).toHaveLength(90);
});
