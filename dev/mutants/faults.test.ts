import { expect, test } from 'vitest';
import { choose } from './choose.ts';
import { faultsOf, sample } from './faults.ts';
import {
  countsOf,
  describe as show,
  openSurvivors,
  parseAccepted,
  rateOf,
  record,
  type Result,
  tableOf,
} from './results.ts';
import { subjectOf } from './subjects.ts';
import { createTestMap } from './test-map.ts';

const FILE = 'server/votes/count.ts';
const SOURCE = 'function f() {\n  g(1);\n  g(1);\n  return h < 2;\n}\n';
const faults = faultsOf([[FILE, SOURCE]]);

test('a fault says where it is and how its line reads before and after', () => {
  const boundary = faults.find(({ operator }) => operator === 'boundary');
  expect(boundary).toMatchObject({ subject: 'votes', line: 4, before: 'return h < 2;', after: 'return h <= 2;' });
});

test('ids are unique, and stay when lines come before', () => {
  const ids = faults.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.some((id) => id.endsWith('(2)'))).toBe(true);
  expect(faultsOf([[FILE, `// new\n\n${SOURCE}`]]).map(({ id }) => id)).toEqual(ids);
});

test('the same seed draws the same faults in the same order, another one others', () => {
  const items = Array.from({ length: 50 }, (_, index) => ({ id: `${index}` }));
  const draw = (seed: number, from = items): string[] => sample(from, () => 'one', seed, 10).map(({ id }) => id);
  expect(draw(1)).toHaveLength(10);
  expect(draw(1)).toEqual(draw(1, items.toReversed()));
  expect(draw(1)).not.toEqual(draw(2));
  expect(draw(1, [...items, { id: 'new' }]).filter((id) => draw(1).includes(id)).length).toBeGreaterThanOrEqual(9);
});

test('a sample has its size for each subject', async () => {
  const modules: Array<[string, string]> = [
    [FILE, SOURCE],
    ['server/jobs/x.ts', SOURCE],
  ];
  const chosen = await choose(modules, { subjects: [], files: [], base: null, size: 3, seed: 1 });
  expect(chosen.map(({ subject }) => subject).toSorted()).toEqual(['jobs', 'jobs', 'jobs', 'votes', 'votes', 'votes']);
  await expect(choose(modules, { subjects: ['vote'], files: [], base: null, size: 1, seed: 1 })).rejects.toThrow(
    'There is no subject "vote". Subjects: votes, money,',
  );
});

test('tests and generated types have no faults of their own, components have', () => {
  const files = ['web/app.test.tsx', 'server/testing/app.ts', 'web/testing/screen.tsx', 'web/ui/x.d.ts', 'README.md'];
  expect(files.filter((file) => subjectOf(file) !== undefined)).toEqual([]);
  expect(subjectOf('db/migrations/0001_tables.sql')?.name).toBe('sql');
  expect(subjectOf('db/functions/cast_votes.sql')?.name).toBe('sql');
  expect(subjectOf('db/schema.sql')).toBeUndefined();
  expect(subjectOf('web/app/app.tsx')?.name).toBe('web');
  expect(subjectOf('shared/roles.ts')?.name).toBe('roles');
  expect(subjectOf('shared/proof/own-record.ts')?.name).toBe('record');
  expect(subjectOf('shared/text.ts')?.name).toBe('rules');
});

test('tests come nearest first, and only those that reach the source', () => {
  const map = createTestMap(
    [
      ['server/votes/engine.ts', `import { r } from '#shared/rules.ts';`],
      ['server/votes/routes.ts', `import { e } from './engine.ts';`],
      ['server/app.ts', `import { r } from './votes/routes.ts';`],
      ['server/votes/votes.test.ts', `import { a } from '../app.ts';`],
      ['server/votes/engine.test.ts', `import { e } from './engine.ts';`],
      ['server/projects/feed.test.ts', `fork('server/app.ts')`],
      ['server/images/intake.test.ts', `import { a } from '../app.ts';`],
      ['server/leaderboard/other.test.ts', `import { n } from 'node:fs';`],
      ['shared/rules.ts', ''],
      ['shared/rules.test.ts', `import { r } from './rules.ts';`],
      ['web/routes.ts', `import('#shared/rules.ts')`],
      ['web/lib/paths.test.ts', `import { r } from './routes.ts';`],
      ['db/functions/cast_votes.sql', 'CREATE FUNCTION cast_votes()'],
      ['server/votes/sql.ts', 'SELECT cast_votes(1)'],
    ],
    (test) => !test.startsWith('server/'),
  );
  const votes = subjectOf('server/votes/engine.ts');
  const sql = subjectOf('db/functions/cast_votes.sql');
  if (votes === undefined || sql === undefined) throw new Error('no subjects');
  const testsFor = (file: string, scope: string, subject: typeof votes): string[] =>
    map.testsFor({ file, scope }, subject).map(({ test }) => test);
  const near = ['server/votes/engine.test.ts', 'server/votes/votes.test.ts', 'server/projects/feed.test.ts'];
  expect(testsFor('server/votes/engine.ts', 'f', votes)).toEqual(near);
  expect(testsFor('shared/rules.ts', 'f', votes)).toEqual([
    'shared/rules.test.ts',
    'server/projects/feed.test.ts',
    ...near.slice(0, 2),
  ]);
  // A function of SQL shares words with tests by its name.
  const callers = ['server/votes/votes.test.ts', 'server/votes/engine.test.ts'];
  expect(testsFor('db/functions/cast_votes.sql', 'cast_votes', sql).slice(0, 2)).toEqual(callers);
});

const resultOf = (id: string, state: Result['state'], subject = 'votes'): Result => ({
  id,
  subject,
  file: FILE,
  line: 1,
  scope: 'f',
  operator: 'number',
  before: 'g(1);',
  after: 'g(2);',
  state,
  by: '',
  asked: 1,
  seconds: 1,
});

test('accepted survivors are subtracted, and what types notice, is invalid or unreached does not count', () => {
  const results = [
    resultOf('a', 'noticed'),
    resultOf('b', 'late'),
    resultOf('c', 'survived'),
    resultOf('d', 'survived'),
    resultOf('e', 'invalid'),
    resultOf('f', 'unreached', 'web'),
    { ...resultOf('g', 'survived'), isTypeError: true },
  ];
  const accepted = parseAccepted('[{ "id": "d", "reason": "nothing can be seen of it" }]');
  const counts = countsOf(results, accepted);
  expect(counts).toEqual({ noticed: 1, late: 1, survived: 1, accepted: 1, types: 1, unreached: 1, invalid: 1 });
  expect(rateOf(counts)).toBeCloseTo(2 / 3);
  expect(tableOf(results, accepted).split('\n').at(-1)).toMatch(/^all +7 +1 +1 +1 +1 +1 +1 +1 +66\.7 %$/);
  expect(rateOf(countsOf([resultOf('d', 'survived')], accepted))).toBeNull();
});

test('survivors are asked about again until all tests of this very tree were', () => {
  const [one, other] = faults;
  if (one === undefined || other === undefined) throw new Error('no faults');
  const results = [
    resultOf('gone', 'survived'),
    resultOf(one.id, 'survived'),
    { ...resultOf(other.id, 'survived'), tree: 'this' },
    resultOf('noticed', 'noticed'),
  ];
  const report = { seed: 1, tree: '', results };
  expect(openSurvivors(report, faults, 'this')).toEqual([one]);
  expect(openSurvivors(report, faults, 'next')).toEqual([one, other]);
  expect(report.results.map(({ id }) => id)).toEqual([one.id, other.id, 'noticed']);
  record(report, resultOf(one.id, 'noticed'));
  expect(report.results.map(({ id, state }) => [id, state])).toEqual([
    [other.id, 'survived'],
    ['noticed', 'noticed'],
    [one.id, 'noticed'],
  ]);
});

test('an accepted survivor needs a reason, and only one', () => {
  expect(() => parseAccepted('[{ "id": "d", "reason": "" }]')).toThrow(/reason/);
  const one = '{ "id": "d", "reason": "nothing can be seen of it" }';
  expect(() => parseAccepted(`[${one}, ${one}]`)).toThrow('a survivor is accepted twice: d');
});

test('a survivor is shown with its place and both lines', () => {
  expect(show(resultOf('a', 'survived'))).toBe(`${FILE}:1 f [number]\n  - g(1);\n  + g(2);\n    id: a`);
});
