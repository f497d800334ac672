import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '#ops/process/report.ts';

const SECTION = /^## From a fresh Debian machine to a served site\n[\s\S]*?```sh\n([\s\S]*?)```/m;

/** The commands that docs/operate/operations.md gives for a fresh machine, in order. */
export async function readWalk(): Promise<string[]> {
  const text = await readFile(path.join(ROOT, 'docs/operate/operations.md'), 'utf8');
  const block = SECTION.exec(text)?.[1];
  if (block === undefined) throw new Error('docs/operate/operations.md has lost its walk from a fresh machine');
  return block.trim().split('\n');
}

export const fillInCommand = (command: string, values: Record<string, string>): string =>
  Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), command);
