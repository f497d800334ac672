import path from 'node:path';
import { SQL_HINTS, type Subject } from './subjects.ts';

/** Imports, and programs that a test starts by their path: `fork('server/main.ts')`. */
const MENTIONS = /(?:\bfrom|\bimport)\s*'([^']+)'|'((?:server|sandbox|scripts|db|demo|dev)\/[\w/-]+\.ts)'/g;
/** A page's screens are loaded on demand: the routes name them all, and a test of the routes tests none of them. */
const ON_DEMAND = /\bimport\(\s*'([^']+)'/g;

/** Files of the project that a module mentions. */
function mentionsIn(file: string, text: string): string[] {
  const onDemand = file.startsWith('web/') && !file.includes('.test.') ? [] : text.matchAll(ON_DEMAND);
  return [...text.matchAll(MENTIONS), ...onDemand].flatMap(([, imported, program]) => {
    if (program !== undefined) return program;
    if (imported?.startsWith('#')) return imported.slice(1);
    return imported?.startsWith('.') ? path.posix.join(path.posix.dirname(file), imported) : [];
  });
}

/** How many steps each file is away from `from`, following mentions. */
function distancesFrom(from: string, mentions: Map<string, string[]>): Map<string, number> {
  const distances = new Map([[from, 0]]);
  for (const [file, distance] of distances)
    for (const next of mentions.get(file) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
}

/** Word parts that the names of two files share: feed-order.test.ts and feed.ts share one. */
function affinity(one: string, other: string): number {
  const words = (file: string): string[] =>
    path.posix
      .basename(file)
      .replace(/(\.test)?\.tsx?$/, '')
      .split('-');
  return words(one).filter((word) => words(other).includes(word)).length;
}

/** What a word in common is worth in steps of the rank: never a step, so that no test of two words comes before unit tests. */
const SAME_WORD = 0.3;

/** Where a fault is; for SQL, `scope` is the function. */
interface Place {
  file: string;
  scope: string;
}

/** What a place shares words with: a module by its name, SQL by the function's. */
const nameOf = ({ file, scope }: Place): string => (file.endsWith('.sql') ? scope.replaceAll('_', '-') : file);

export interface NearTest {
  test: string;
  /** The smaller the nearer: unit tests, then those of the source's folder, then those of its subject. */
  rank: number;
  isUnit: boolean;
}

export interface TestMap {
  /** Test files that reach a place, the nearest first. */
  testsFor(place: Place, subject: Subject): NearTest[];
}

/** Works out from the text of all modules, `[file, text]`, which tests reach which source. `isUnit` tells the quick ones. */
export function createTestMap(
  modules: Array<[file: string, text: string]>,
  isUnit: (test: string) => boolean,
): TestMap {
  const mentions = new Map(modules.map(([file, text]) => [file, mentionsIn(file, text)]));
  // Tests of this very tool name files of the project in their examples.
  const tests = modules.flatMap(([file]) =>
    /\.test\.tsx?$/.test(file) && !file.startsWith('dev/mutants/') ? file : [],
  );
  const reached = new Map(tests.map((test) => [test, distancesFrom(test, mentions)]));

  /** Folders of the modules that call an SQL function by its name. */
  const callersOf = (scope: string): Set<string> =>
    new Set(modules.flatMap(([file, text]) => (text.includes(`${scope}(`) ? path.posix.dirname(file) : [])));

  function rankInSql(test: string, { scope }: Place, subject: Subject): number {
    if (isUnit(test) || !subject.tests.test(test)) return Number.POSITIVE_INFINITY;
    const isHinted = SQL_HINTS.some(([scopes, tests]) => scopes.test(scope) && tests.test(test));
    return isHinted || callersOf(scope).has(path.posix.dirname(test)) ? 2 : 3;
  }

  function rank(test: string, place: Place, subject: Subject): number {
    if (place.file.endsWith('.sql')) return rankInSql(test, place, subject);
    const distance = reached.get(test)?.get(place.file);
    if (distance === undefined) return Number.POSITIVE_INFINITY;
    if (isUnit(test)) return distance === 1 ? 0 : 1;
    if (path.posix.dirname(test) === path.posix.dirname(place.file)) return 2;
    return subject.tests.test(test) ? 3 : Number.POSITIVE_INFINITY;
  }

  return {
    testsFor: (place, subject) =>
      tests
        .map((test) => ({
          test,
          isUnit: isUnit(test),
          rank: rank(test, place, subject) - affinity(test, nameOf(place)) * SAME_WORD,
        }))
        .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
        .toSorted((one, other) => one.rank - other.rank || one.test.localeCompare(other.test)),
  };
}
