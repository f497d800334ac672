import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export class AlreadyReported extends Error {}

export function seconds(startedAtMs: number): string {
  return `${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`;
}

export async function step<T>(title: string, work: () => Promise<T>, done?: (result: T) => string): Promise<T> {
  const startedAtMs = performance.now();
  const result = await work();
  console.log(`✓ ${done?.(result) ?? title}  ${seconds(startedAtMs)}`);
  return result;
}

const PROGRESS_MS = 5_000;
let lastProgressMs = 0;

export function progress(share: number): void {
  if (performance.now() - lastProgressMs < PROGRESS_MS || share >= 1) return;
  lastProgressMs = performance.now();
  console.log(`  ${Math.floor(share * 100)}%`);
}

export function readDotEnv(): NodeJS.Dict<string> {
  const file = path.join(ROOT, '.env');
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

export function loadDotEnv(): void {
  for (const [name, value] of Object.entries(readDotEnv())) process.env[name] ??= value;
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Prints one clear line instead of a stack trace; `DEBUG=1` prints the trace as well. */
export function printFailure(error: unknown): void {
  if (error instanceof AlreadyReported) return;
  console.error(`✗ ${messageOf(error)}`);
  if (process.env.DEBUG && error instanceof Error) console.error(error.stack);
}
