import { read, sources } from '../rules/sources.ts';

/** A clause (S5.6) or a ruling (R15) of docs/use/specification.md. */
export const ID = /\b(?:S\d+\.\d+|R\d+)\b/g;
const SPECIFICATION = 'docs/use/specification.md';
const TEST_FILE = /\.test\.tsx?$|^lab\/e2e\/.*\.ts$/;

export interface Citation {
  ids: string[];
  text: string;
  /** The character after the brackets: a quote if they end a title. */
  next: string;
  title: string;
}

/** Brackets that contain only ids, `[S5.6 R15]`, with the title that they end. */
export function citationsIn(source: string): Citation[] {
  return [...source.matchAll(/\[([^[\]\n]*)\](.?)/g)].flatMap(({ 0: text, 1: inside = '', 2: next = '', index }) => {
    const ids = inside.match(ID) ?? [];
    if (ids.length === 0 || inside.replaceAll(ID, '').trim() !== '') return [];
    const title = source.slice(source.lastIndexOf(next, index - 1) + 1, index).trim();
    return [{ ids, text, next, title }];
  });
}

/** The defined ids, each with whether it is planned only. @throws Error when one is defined twice */
export function definedIds(specification = read(SPECIFICATION)): Map<string, { isPlanned: boolean }> {
  const found = new Map<string, { isPlanned: boolean }>();
  for (const [, id = '', shown, planned] of specification.matchAll(
    /<a id="([SR][\d.]+)"><\/a>\*\*([^*]+)\*\*( \*\(planned\)\*)?/g,
  )) {
    if (shown !== id || found.has(id)) throw new Error(`${id} is defined twice, or under another name`);
    found.set(id, { isPlanned: planned !== undefined });
  }
  return found;
}

export const testFiles = async (): Promise<string[]> => (await sources()).filter((file) => TEST_FILE.test(file));

export interface Guarantee {
  id: string;
  isPlanned: boolean;
  /** 'server/money/supply/supply.test.ts: an empty ledger has nothing, publicly' */
  tests: string[];
}

export async function readGuarantees(): Promise<Guarantee[]> {
  const tests = new Map<string, string[]>();
  for (const file of await testFiles())
    for (const { ids, title } of citationsIn(read(file)))
      for (const id of ids) tests.set(id, [...(tests.get(id) ?? []), `${file}: ${title}`]);
  return [...definedIds()].map(([id, { isPlanned }]) => ({ id, isPlanned, tests: tests.get(id) ?? [] }));
}

export async function printGuarantees(): Promise<boolean> {
  const guarantees = await readGuarantees();
  for (const { id, isPlanned, tests } of guarantees) {
    console.log(`${id}  ${tests.length}${isPlanned ? ' (planned)' : ''}`);
    for (const test of tests) console.log(`  ${test}`);
  }
  const bare = guarantees.filter(({ isPlanned, tests }) => !isPlanned && tests.length === 0);
  console.log(`\n${guarantees.length - bare.length} of ${guarantees.length} clauses and rulings are named by a test`);
  for (const { id } of bare) console.log(`without a test: ${id}`);
  return bare.length === 0;
}
