import path from 'node:path';
import { run } from '../programs.ts';
import { applyEdit } from './edits.ts';
import type { Fault } from './faults.ts';
import type { Result } from './results.ts';
import type { Tree } from './tree.ts';

const PROJECTS = ['tsconfig.json', 'web/tsconfig.json'];

/** Asks the type checker about the survivors it has not been asked about: what it refuses is noticed, but by no test. */
export async function askTypes(
  results: Result[],
  faults: Fault[],
  sources: Map<string, string>,
  tree: Tree,
): Promise<void> {
  const byId = new Map(faults.map((fault) => [fault.id, fault]));
  for (const result of results) {
    const fault = byId.get(result.id);
    const isOpen = result.state === 'survived' && result.isTypeError === undefined && result.file.endsWith('.ts');
    if (!isOpen || fault === undefined) continue;
    const source = sources.get(fault.file) ?? '';
    await tree.write(fault.file, applyEdit(source, fault));
    const runs = await Promise.all(PROJECTS.map((project) => run('tsc', ['-p', path.join(tree.folder, project)])));
    await tree.write(fault.file, source);
    result.isTypeError = runs.some(({ code }) => code !== 0);
  }
}
