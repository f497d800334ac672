import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FailedJourney } from './failed-tests.ts';
import { KNOWN_FLAKY, type KnownFlaky } from './known-flaky.ts';
import { runSteps } from './run-tests.ts';
import type { SecondRun } from './second-run.ts';
import type { TestStep } from './test-steps.ts';

let printed: string[] = [];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(...line.split('\n')));
});
afterEach(() => vi.restoreAllMocks());

const journey: FailedJourney = {
  file: 'deck.e2e.ts',
  line: 7,
  project: 'desktop',
  title: 'deals a card',
  reason: 'no card',
};
const listed: KnownFlaky = { title: 'deals a card', cause: 'a frame is late', date: '2026-11-27' };

function stepThat(secondReason: string | null) {
  const again = vi.fn<() => Promise<SecondRun[]>>(async () => [{ journey, reason: secondReason }]);
  const work = async () => ({ passed: 1, failed: 1, skipped: 0, failures: ['deals a card'], journeys: [journey] });
  return { step: { name: 'Journeys', work, again } satisfies TestStep, again };
}

test('a listed journey that passes alone leaves the run green, and is named with both results', async () => {
  expect(await runSteps('all', [stepThat(null).step], [listed])).toBe(true);
  expect(printed.slice(-5)).toEqual([
    'known flaky: deck.e2e.ts [desktop] › deals a card',
    '  first:  no card',
    '  second: passed',
    '',
    '2 passed, 0 failed',
  ]);
});

test('a journey that is not listed keeps the run red although it passes alone, and is named', async () => {
  expect(await runSteps('all', [stepThat(null).step], [])).toBe(false);
  expect(printed).toContain('FLAKY, not listed: deck.e2e.ts [desktop] › deals a card');
  expect(printed.at(-1)).toBe('1 passed, 1 failed');
});

test('a listed journey that fails twice keeps the run red', async () => {
  expect(await runSteps('all', [stepThat('no card again').step], [listed])).toBe(false);
  expect(printed).toContain('  second: no card again');
});

test('the short lane, and steps other than journeys, run nothing again', async () => {
  const { step, again } = stepThat(null);
  expect(await runSteps('short', [step], [listed])).toBe(false);
  const { again: _, ...withoutAgain } = step;
  expect(await runSteps('all', [withoutAgain], [listed])).toBe(false);
  expect(again).not.toHaveBeenCalled();
});

test('at most ten journeys are known to be flaky, each with a cause and a date', () => {
  expect(KNOWN_FLAKY.length).toBeLessThanOrEqual(10);
  for (const { cause, date } of KNOWN_FLAKY) expect([cause.length > 20, Date.parse(date) > 0]).toEqual([true, true]);
});
