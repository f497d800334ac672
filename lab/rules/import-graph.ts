import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { ROOT } from '#ops/process/report.ts';

export interface Import {
  from: string;
  /** A module of ours, or a package or built-in as it is written ('node:fs', 'react'). */
  to: string;
}

const SOURCE_FOLDERS = ['shared', 'chain', 'db', 'server', 'web', 'record', 'ops', 'lab', 'packages', 'scripts'];

function specifiersOf(file: string, source: string): string[] {
  const { program, module, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) found.push(moduleRequest.value);
  }
  const add = (node: { type: string; value?: unknown }): void => {
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value);
  };
  new Visitor({
    ImportExpression: ({ source: target }) => add(target),
    TSImportType: ({ source: target }) => add(target),
  }).visit(program);
  return found;
}

/** '#shared/money/money.ts' and '../money/money.ts' → 'shared/money/money.ts'; packages and built-ins as they are. */
function resolveSpecifier(from: string, specifier: string): string {
  const plain = specifier.split('?')[0] ?? '';
  if (plain.startsWith('#')) return plain.slice(1);
  return plain.startsWith('.') ? path.posix.join(path.posix.dirname(from), plain) : plain;
}

export function importsOf(file: string, source: string): Import[] {
  const targets = specifiersOf(file, source).map((specifier) => resolveSpecifier(file, specifier));
  return [...new Set(targets)].map((to) => ({ from: file, to }));
}

export async function readImports(): Promise<Import[]> {
  const found: Import[] = [];
  for (const folder of SOURCE_FOLDERS) {
    for (const name of await readdir(path.join(ROOT, folder), { recursive: true })) {
      if (!/\.(?:m?ts|tsx|mjs)$/.test(name) || name.includes('.d.')) continue;
      const file = path.posix.join(folder, name.split(path.sep).join('/'));
      found.push(...importsOf(file, await readFile(path.join(ROOT, file), 'utf8')));
    }
  }
  return found;
}
