import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, toast, toasts } from './toast.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  toasts.set([]);
});

test('a new toast replaces the previous one [S9.14]', () => {
  toast({ title: 'first' });
  toast({ title: 'second', variant: 'destructive' });
  expect(toasts.get()).toMatchObject([{ title: 'second', variant: 'destructive', open: true }]);
});

test('a dismissed toast closes at once and is removed after 1,000,000 ms [S9.14]', () => {
  const id = toast({ title: 'going' });
  dismissToast(id);
  expect(toasts.get()).toMatchObject([{ title: 'going', open: false }]);
  vi.advanceTimersByTime(999_999);
  expect(toasts.get()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.get()).toHaveLength(0);
});

test('removing an old toast does not touch the present one [S9.14]', () => {
  dismissToast(toast({ title: 'old' }));
  toast({ title: 'new' });
  vi.advanceTimersByTime(1_000_000);
  expect(toasts.get()).toMatchObject([{ title: 'new', open: true }]);
});
