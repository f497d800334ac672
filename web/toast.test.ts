import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, toast, toasts } from './toast.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  toasts.set([]);
});

test('[S9.14] one toast at a time: the newest replaces the one before', () => {
  toast({ title: 'first' });
  toast({ title: 'second', variant: 'destructive' });
  expect(toasts.get()).toMatchObject([{ title: 'second', variant: 'destructive', open: true }]);
});

test('[S9.14] a dismissed toast closes at once and is removed after 1,000,000 ms', () => {
  const id = toast({ title: 'going' });
  dismissToast(id);
  expect(toasts.get()).toMatchObject([{ title: 'going', open: false }]);
  vi.advanceTimersByTime(999_999);
  expect(toasts.get()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.get()).toHaveLength(0);
});

test('[S9.14] removing an old toast does not touch the present one', () => {
  dismissToast(toast({ title: 'old' }));
  toast({ title: 'new' });
  vi.advanceTimersByTime(1_000_000);
  expect(toasts.get()).toMatchObject([{ title: 'new', open: true }]);
});
