import { expect, vi } from 'vitest';

const ALWAYS = [
  // happy-dom does not know this element; browsers do.
  /^The tag <search> is unrecognized in this browser/,
  // On a busy machine the code of a part can still be loading when a test presses something beside it.
  /^A component suspended inside an `act` scope, but the `act` call was not awaited/,
  // Then it comes: a part is drawn without a further turn, and without use(), once its code has loaded (lib/loadable.tsx).
  /^Error: This library called use\(\) to suspend in a previous render but did not call use\(\)/,
];

let lines: string[] = [];
let allowed: RegExp[] = [];

/** React's own come as a format and what it says in place of each %s. */
function lineOf([first, ...rest]: unknown[]): string {
  const text = String(first).replaceAll('%s', () => String(rest.shift()));
  return [text, ...rest.map(String)].join(' ');
}

export function watchConsole(): void {
  lines = [];
  allowed = [...ALWAYS];
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...said) => void lines.push(lineOf(said)));
}

export function allowInConsole(...patterns: RegExp[]): void {
  allowed.push(...patterns);
}

/** @throws AssertionError with every line that the present test has not allowed. */
export function expectCleanConsole(): void {
  const unexpected = lines.filter((line) => !allowed.some((pattern) => pattern.test(line)));
  expect(unexpected, 'errors and warnings in the console').toEqual([]);
}
