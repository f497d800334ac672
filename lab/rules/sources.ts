import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '#ops/process/report.ts';

const SKIPPED_FOLDERS = new Set([
  'node_modules',
  'dist',
  'data',
  'coverage',
  'shots',
  'test-results',
  'playwright-report',
]);
const TEXT = new Set(['ts', 'tsx', 'mjs', 'move', 'sql', 'css', 'html', 'md', 'json', 'yml', 'sh']);

export const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Text files of the repository by their path in it; without git, those in its folders. */
export async function sources(): Promise<string[]> {
  if (existsSync(path.join(ROOT, '.git'))) {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
    const files = listed.toString().split('\0');
    return files.filter((file) => isText(file) && existsSync(path.join(ROOT, file)));
  }
  const found: string[] = [];
  const exclude = (file: string): boolean => SKIPPED_FOLDERS.has(path.basename(file));
  for await (const file of glob('**/*', { cwd: ROOT, exclude })) found.push(file.split(path.sep).join('/'));
  return found.filter(isText);
}

function isText(file: string): boolean {
  return TEXT.has(file.split('.').at(-1) ?? '') && file !== 'package-lock.json';
}
