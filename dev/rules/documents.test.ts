import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../process/report.ts';

/** Decision records and the changelog tell of their own time; what they name may be gone. */
const CURRENT = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'THIRD_PARTY.md'];
const FOLDERS = 'bench|chain|db|demo|deploy|dev|docs|e2e|hammer|sandbox|scripts|server|shared|web';
/** A path with a folder of ours in front and nothing left open: `server/jobs/scheduler.ts`, `docs/build/decisions/`. */
const PATH = new RegExp(`\`((?:${FOLDERS})/[\\w./-]*)\``, 'g');
const LINK = /\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g;

async function documents(): Promise<string[]> {
  // The specification also names what is planned.
  const isCurrent = (file: string): boolean => file.endsWith('.md') && file !== 'specification.md';
  const folders = ['docs/use', 'docs/operate', 'docs/build'].map(async (folder) =>
    (await readdir(path.join(ROOT, folder))).filter(isCurrent).map((file) => `${folder}/${file}`),
  );
  return [...CURRENT, ...(await Promise.all(folders)).flat(), 'docs/build/decisions/README.md'];
}

test('files that the documents name or link to exist', async () => {
  const missing: string[] = [];
  for (const file of await documents()) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    for (const [, named = ''] of text.matchAll(PATH)) {
      if (!named.includes('NNNN') && !existsSync(path.join(ROOT, named))) missing.push(`${file}: ${named}`);
    }
    for (const [, target = ''] of text.matchAll(LINK)) {
      if (!existsSync(path.join(ROOT, path.dirname(file), target))) missing.push(`${file}: ${target}`);
    }
  }
  expect(missing).toEqual([]);
});

test('every decision record has a date and a status, and its line in the list', async () => {
  const folder = path.join(ROOT, 'docs/build/decisions');
  const list = readFileSync(path.join(folder, 'README.md'), 'utf8');
  const wrong: string[] = [];
  for (const file of (await readdir(folder)).filter((name) => /^\d/.test(name))) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const date = /^- Date: (\d{4}-\d\d-\d\d)$/m.exec(text)?.[1] ?? '?';
    const status = /^- Status: (.+)$/m.exec(text)?.[1] ?? '?';
    const [, number, title] = /^# (\d+)\. (.+)/.exec(text) ?? [];
    const line = `| ${number} | [${title}](${file}) | ${date} | ${status} |`;
    if (!list.includes(line)) wrong.push(line);
  }
  expect(wrong).toEqual([]);
});

test('examples of code are lines of the files that they name', () => {
  const wrong: string[] = [];
  const examples = [
    ...readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gs),
  ];
  for (const [, file = '', code = ''] of examples) {
    const lines = new Set(readFileSync(path.join(ROOT, file), 'utf8').split('\n'));
    wrong.push(...code.split('\n').filter((line) => line.trim() !== '…' && !lines.has(line)));
  }
  expect(wrong).toEqual([]);
  expect(examples.length).toBeGreaterThan(2);
});
