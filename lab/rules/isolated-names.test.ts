import { expect, test } from 'vitest';
import { isolated } from '#shared/text/isolated.ts';
import { bareNames } from './isolated-names.ts';
import { read, sources } from './sources.ts';

const FILES = /^(?:web|server|shared)\/(?!testing\/|.*\/testing\/).*(?<!\.test)\.tsx?$/;

test('isolates names that run from right to left, and leaves all others as they are', () => {
  expect(['قمر 24', 'שלום', 'Reef', '珊瑚', '🐸 24'].map(isolated)).toEqual([
    '\u2068قمر 24\u2069',
    '\u2068שלום\u2069',
    'Reef',
    '珊瑚',
    '🐸 24',
  ]);
});

test('finds names in a sentence without isolation', () => {
  const source = `
    const a = \`Voted on \${project.name}\`; const b = \`Voted on \${isolated(project.name)}\`; const key = \`\${project.name}:\`;
    const c = <p>by {author}</p>; const d = <p>by <Name>{author}</Name></p>; const e = <h1 dir="auto">{project.name}</h1>;`;
  expect(bareNames('web/a.tsx', source)).toEqual(['web/a.tsx: project.name', 'web/a.tsx: author']);
});

test('texts of users are isolated in every sentence', async () => {
  const files = (await sources()).filter((file) => FILES.test(file));
  const found = files.flatMap((file) => bareNames(file, read(file)));
  expect(found).toEqual([]);
});
