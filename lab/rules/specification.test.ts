import { expect, test } from 'vitest';
import { citationsIn, definedIds, ID, readGuarantees, testFiles } from '../test-run/guarantees.ts';
import { read, sources } from './sources.ts';

test('every id that the repository cites is defined in the specification', async () => {
  const defined = definedIds();
  expect(defined.size).toBeGreaterThan(150);
  const unknown: string[] = [];
  for (const file of await sources())
    for (const id of new Set(read(file).match(ID))) if (!defined.has(id)) unknown.push(`${file}: ${id}`);
  expect(unknown).toEqual([]);
});

test('a test names every id that is not planned', async () => {
  const guarantees = await readGuarantees();
  expect(guarantees.filter(({ isPlanned, tests }) => !isPlanned && tests.length === 0)).toEqual([]);
});

test('titles end with their ids, three at most', async () => {
  const wrong: string[] = [];
  for (const file of await testFiles()) {
    for (const { ids, text, next } of citationsIn(read(file))) {
      if (ids.length > 3 || !['"', "'", '`'].includes(next)) wrong.push(`${file}: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the table of guarantees lists each title under its ids', () => {
  const [one, other] = ['S5.6', 'R15'];
  const source = `test('rejects 201 characters [${one} ${other}]', …);\ntest("keeps the owner's text [${one}]", …);`;
  expect(citationsIn(source).map(({ ids, title }) => [ids, title])).toEqual([
    [[one, other], 'rejects 201 characters'],
    [[one], "keeps the owner's text"],
  ]);
});

test('links of the specification lead to ids that it defines', () => {
  const defined = definedIds();
  const links = [...read('docs/use/specification.md').matchAll(/\[([SR][\d.]+)\]\(#([^)]+)\)/g)];
  expect(links.length).toBeGreaterThan(50);
  const isWrong = (shown: string, target?: string) => target !== shown || !defined.has(shown);
  expect(links.filter(([, shown = '', target]) => isWrong(shown, target)).map(([text]) => text)).toEqual([]);
});
