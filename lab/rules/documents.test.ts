import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#ops/process/report.ts';
import { read, sources } from './sources.ts';

const DECISIONS = 'docs/build/decisions';
const FOLDERS = 'chain|db|docs|lab|ops|packages|record|scripts|server|shared|web';
const PATH = new RegExp(`\`((?:${FOLDERS})/[\\w./-]*)\``, 'g');
const LINK = /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g;
/** `decision 12`, `decisions 12 and 14`, `docs/build/decisions/0012-name.md`. */
const CITATION = /\b[Dd]ecisions? (\d+)(?: and (\d+))?\b|decisions\/(\d{4})[\w-]*(?:\.md)?/g;

/**
 * Documents that describe the present. The specification also names planned features, and a decision or a changelog its
 * own time.
 */
async function currentDocuments(): Promise<string[]> {
  const isCurrent = (file: string): boolean =>
    file.endsWith('.md') &&
    !['CHANGELOG.md', 'docs/use/specification.md'].includes(file) &&
    !(file.startsWith(`${DECISIONS}/`) && !file.endsWith('README.md'));
  return (await sources()).filter(isCurrent);
}

function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}

async function decisions(): Promise<Map<number, string>> {
  const files = (await readdir(path.join(ROOT, DECISIONS))).filter((name) => /^\d/.test(name));
  return new Map(files.map((file) => [Number(file.slice(0, 4)), file]));
}

test('finds every file that a document names in code font', async () => {
  const missing: string[] = [];
  for (const file of await currentDocuments()) {
    for (const [, named = ''] of read(file).matchAll(PATH)) {
      if (!named.includes('NNNN') && !existsSync(path.join(ROOT, named))) missing.push(`${file}: ${named}`);
    }
  }
  expect(missing).toEqual([]);
});

test('finds the file and the heading of every link in a document', async () => {
  const broken: string[] = [];
  const linking = (await sources()).filter((file) => file.endsWith('.md'));
  for (const file of linking) {
    for (const [, target = '', anchor] of read(file).matchAll(LINK)) {
      const linked = target === '' ? file : path.join(path.dirname(file), target);
      const isFound =
        existsSync(path.join(ROOT, linked)) && (anchor === undefined || anchorsOf(read(linked)).has(anchor));
      if (!isFound) broken.push(`${file}: ${target}#${anchor ?? ''}`);
    }
  }
  expect(broken).toEqual([]);
});

test('lists every decision by its title, and about fifteen of them', async () => {
  const list = read(`${DECISIONS}/README.md`);
  const records = await decisions();
  const wrong = [...records.values()].flatMap((file) => {
    const text = read(`${DECISIONS}/${file}`);
    const [, number, title] = /^# (\d+)\. (.+)/.exec(text) ?? [];
    const line = `| ${number} | [${title}](${file}) |`;
    return list.includes(line) ? [] : [line];
  });
  expect(wrong).toEqual([]);
  expect(records.size).toBeLessThanOrEqual(18);
});

test('finds the record of every decision that the repository cites', async () => {
  const records = await decisions();
  const unknown: string[] = [];
  for (const file of await sources()) {
    // The text of an applied migration is fixed: a start compares its hash.
    if (file.startsWith('db/migrations/')) continue;
    for (const [citation, one, other, inPath] of read(file).matchAll(CITATION)) {
      const numbers = [one, other, inPath].flatMap((text) => (text === undefined ? [] : Number(text)));
      if (numbers.some((number) => !records.has(number))) unknown.push(`${file}: ${citation}`);
    }
  }
  expect(unknown).toEqual([]);
});

test('the architecture lists the kinds of change notifications that the database sends', async () => {
  const sent = (await sources())
    .filter((file) => file.startsWith('db/functions/'))
    .flatMap((file) =>
      [...read(file).matchAll(/(?:notify_servers|projects_changed)\('(\w)'/g)].map(([, kind = '']) => kind),
    );
  const [, table = ''] =
    /\| Kind \| Changed \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(read('docs/build/architecture.md')) ?? [];
  const documented = [...table.matchAll(/^\| `(\w)` \|/gm)].map(([, kind = '']) => kind);
  expect(documented.toSorted()).toEqual([...new Set(sent)].toSorted());
});

test('the glossary defines each word once', () => {
  const words = [
    ...read('docs/use/glossary.md').matchAll(/^- \*\*(.+?)\*\*(?: \(in code: (\w+)\)|, `(\w+)`)?/gm),
  ].flatMap(([, listed = '', ...names]) => [...listed.split(', '), ...names.filter((name) => name !== undefined)]);
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([]);
});
