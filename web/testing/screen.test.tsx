// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { expectCleanConsole } from './console-lines.ts';
import { allowInConsole, useTestPage } from './screen.tsx';

useTestPage();

const late = vi.fn<() => void>();

test('a test may end before its timers fire', () => {
  setTimeout(late, 20);
  setInterval(late, 20);
  expect(late).not.toHaveBeenCalled();
});

test('a timer of an ended test never fires', async () => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(late).not.toHaveBeenCalled();
});

test('a line in the console fails the test, unless it is allowed there', () => {
  console.warn('Told %s', 'in time', 3);
  console.error(new Error('no'));
  allowInConsole(/^Told in time 3$/);
  expect(expectCleanConsole).toThrow(/Error: no/);
  allowInConsole(/^Error: no$/);
  expect(expectCleanConsole).not.toThrow();
});
