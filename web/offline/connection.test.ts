// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SHELL_META } from '#shared/offline.ts';
import { ApiError } from '../lib/api-error.ts';
import { queryClient } from '../lib/queries.ts';
import { apiErrorOf } from '../testing/made-up.ts';

// The page is the worker's stored shell.
const shell = document.createElement('meta');
shell.name = SHELL_META;
document.head.append(shell);
const { connection } = await import('./connection.ts');

const LOST = ApiError.offline(new TypeError('Failed to fetch'));
const BUSY = apiErrorOf(503);
let calls = 0;
const readOnce = (queryKey: string[], queryFn: () => Promise<unknown>) =>
  queryClient.fetchQuery({ queryKey, queryFn, staleTime: 0 }).catch(() => undefined);
const fail = (error: Error) =>
  readOnce(['failing', String((calls += 1))], async () => {
    throw error;
  });
const device = (isOnline: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);

beforeEach(() => {
  queryClient.clear();
  connection.set('online');
});
afterEach(() => void vi.restoreAllMocks());

test('a lost response means offline while the device is offline, however the error is wrapped', async () => {
  device(true);
  await fail(LOST);
  expect(connection.get()).toBe('online');
  device(false);
  await fail(BUSY);
  await fail(new Error('A crash of our own'));
  expect(connection.get()).toBe('online');
  await fail(new Error('Failed to fetch projects', { cause: LOST }));
  expect(connection.get()).toBe('offline');
  connection.set('online');
  await fail(LOST);
  expect(connection.get()).toBe('offline');
});

test("the connection follows the device's network events", () => {
  dispatchEvent(new Event('offline'));
  expect(connection.get()).toBe('offline');
  dispatchEvent(new Event('online'));
  expect(connection.get()).toBe('online');
});
