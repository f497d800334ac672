import { expect, test } from 'vitest';
import { read } from './sources.ts';

interface Locked {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const FOLDER = 'node_modules/';

function isLocked(packages: Record<string, Locked>, from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${FOLDER}`)))) {
    if (Object.hasOwn(packages, `${folder === '' ? '' : `${folder}/`}${FOLDER}${name}`)) return true;
    if (folder === '') return false;
  }
}

test('package-lock.json lists every package that another one needs', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
  const lost = Object.entries(packages).flatMap(([folder, { dependencies, devDependencies }]) =>
    Object.keys({ ...dependencies, ...devDependencies })
      .filter((name) => !isLocked(packages, folder, name))
      .map((name) => `${folder === '' ? 'package.json' : folder} needs ${name}`),
  );
  expect(lost).toEqual([]);
});
