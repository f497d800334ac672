import path from 'node:path';
import { run } from '../process/programs.ts';
import { applyEdit } from './edits.ts';
import type { Fault } from './faults.ts';
import type { Result } from './results.ts';
import type { Tree } from './tree.ts';

const PROJECTS = ['tsconfig.json', 'web/tsconfig.json'];
const ERROR = /^(?<file>[^\s(]+)\(\d+,\d+\): error /gm;

/** Files that the type checker complains about. */
async function wrongFiles(tree: Tree): Promise<Set<string>> {
  const runs = await Promise.all(PROJECTS.map((project) => run('tsc', ['-p', path.join(tree.folder, project)])));
  // Paths are relative to where the program was started.
  const files = runs.flatMap(({ output }) => [...output.matchAll(ERROR)].map(({ groups }) => groups?.['file'] ?? ''));
  return new Set(files.map((file) => path.relative(tree.folder, path.resolve(file))));
}

/** The first of each file, and the rest: what is asked together must be told apart by the file. */
function oneOfEachFile(faults: Fault[]): { round: Fault[]; later: Fault[] } {
  const round = [...new Map(faults.toReversed().map((fault) => [fault.file, fault])).values()];
  return { round, later: faults.filter((fault) => !round.includes(fault)) };
}

const isOpen = (state: Result['state']): boolean => state === 'survived' || state === 'unreached';

/**
 * Asks the type checker about the survivors it has not been asked about: what it rejects is noticed, but by no test.
 * @throws Error when it rejects the sources as they are.
 */
export async function askTypes(
  results: Result[],
  faults: Fault[],
  sources: Map<string, string>,
  tree: Tree,
): Promise<void> {
  const open = new Map(
    results
      .filter(({ state, isTypeError, file }) => isOpen(state) && isTypeError === undefined && /\.tsx?$/.test(file))
      .map((result) => [result.id, result]),
  );
  const ask = async (round: Fault[]): Promise<Set<string>> => {
    for (const fault of round) await tree.write(fault.file, applyEdit(sources.get(fault.file) ?? '', fault));
    const wrong = await wrongFiles(tree);
    for (const { file } of round) await tree.write(file, sources.get(file) ?? '');
    return wrong;
  };
  let waiting = faults.filter(({ id }) => open.has(id));
  const before = waiting.length === 0 ? [] : [...(await wrongFiles(tree))];
  if (before.length > 0) throw new Error(`Without any fault the type checker rejects ${before.join(', ')}.`);
  while (waiting.length > 0) {
    const { round, later } = oneOfEachFile(waiting);
    const wrong = await ask(round);
    const isClear = [...wrong].every((file) => round.some((fault) => fault.file === file));
    for (const fault of round) {
      const result = open.get(fault.id);
      // A fault may be refused in a file that uses its own: then each is asked alone.
      const isWrong = wrong.has(fault.file) || (!isClear && (await ask([fault])).size > 0);
      if (result !== undefined) result.isTypeError = isWrong;
    }
    waiting = later;
  }
}
