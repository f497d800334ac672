import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { KINDS } from './tags.ts';

const FUNCTIONS = new URL('../../../db/functions/', import.meta.url);

test('the kinds are those that the triggers of db/functions send, each by its letter', async () => {
  const sent = new Set<string>();
  for (const file of await readdir(FUNCTIONS)) {
    const text = await readFile(new URL(file, FUNCTIONS), 'utf8');
    for (const [, letter] of text.matchAll(/(?:notify_servers|FUNCTION \w+)\('(\w)'/g))
      sent.add(`${letter} ${file.replace('.sql', '')}`);
  }
  const known = Object.values(KINDS).flatMap(({ letter, sentBy }) => sentBy.map((name) => `${letter} ${name}`));
  expect([...sent].toSorted()).toEqual(known.toSorted());
});
