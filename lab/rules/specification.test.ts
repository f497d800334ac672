import { expect, test } from 'vitest';
import { read, sources } from './sources.ts';

/** A clause (S5.6) or a ruling (R15) of docs/use/specification.md. */
const ID = /\b(?:S\d+\.\d+|R\d+)\b/g;
const TEST_FILE = /\.test\.tsx?$|^lab\/e2e\/.*\.ts$/;

interface Specification {
  built: Set<string>;
  planned: Set<string>;
}

function readSpecification(): Specification {
  const result: Specification = { built: new Set(), planned: new Set() };
  for (const [, anchor, shown, isPlanned] of read('docs/use/specification.md').matchAll(
    /<a id="([SR][\d.]+)"><\/a>\*\*([^*]+)\*\*( \*\(planned\)\*)?/g,
  )) {
    const id = anchor ?? '';
    expect(shown).toBe(id);
    expect(result.built.has(id) || result.planned.has(id), `${id} is defined twice`).toBe(false);
    (isPlanned ? result.planned : result.built).add(id);
  }
  return result;
}

/** Brackets in the tests that contain only ids: `[S5.6 R15]`, with the text after them. */
function citations(source: string): Array<{ ids: string[]; text: string; next: string }> {
  return [...source.matchAll(/\[([^[\]\n]*)\](.?)/g)].flatMap(([text, inside = '', next = '']) => {
    const ids = inside.match(ID) ?? [];
    return ids.length > 0 && inside.replaceAll(ID, '').trim() === '' ? [{ ids, text, next }] : [];
  });
}

test('every id that the repository cites is defined in the specification', async () => {
  const { built, planned } = readSpecification();
  expect(built.size).toBeGreaterThan(150);
  const unknown: string[] = [];
  for (const file of await sources()) {
    for (const id of new Set(read(file).match(ID))) {
      if (!built.has(id) && !planned.has(id)) unknown.push(`${file}: ${id}`);
    }
  }
  expect(unknown).toEqual([]);
});

test('a test names every id that is not planned', async () => {
  const named = new Set<string>();
  for (const file of (await sources()).filter((name) => TEST_FILE.test(name))) {
    for (const { ids } of citations(read(file))) for (const id of ids) named.add(id);
  }
  expect([...readSpecification().built].filter((id) => !named.has(id))).toEqual([]);
});

test('titles end with their ids, three at most', async () => {
  const wrong: string[] = [];
  for (const file of (await sources()).filter((name) => TEST_FILE.test(name))) {
    for (const { ids, text, next } of citations(read(file))) {
      if (ids.length > 3 || !['"', "'", '`'].includes(next)) wrong.push(`${file}: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('links of the specification lead to ids that it defines', () => {
  const { built, planned } = readSpecification();
  const links = [...read('docs/use/specification.md').matchAll(/\[([SR][\d.]+)\]\(#([^)]+)\)/g)];
  expect(links.length).toBeGreaterThan(50);
  const isWrong = (shown: string, target?: string) => target !== shown || !(built.has(shown) || planned.has(shown));
  expect(links.filter(([, shown = '', target]) => isWrong(shown, target)).map(([text]) => text)).toEqual([]);
});
