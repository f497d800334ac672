// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SHELL_META } from '#shared/site/offline.ts';
import { ApiError } from './api-error.ts';
import { queryClient } from './queries.ts';
import { apiErrorOf } from '../testing/made-up.ts';

// The page is the worker's stored shell.
const shell = document.createElement('meta');
shell.name = SHELL_META;
document.head.append(shell);
const { serverAway } = await import('./connection.ts');

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
  serverAway.set(false);
});
afterEach(() => void vi.restoreAllMocks());

test('a lost response means that the server is away while the device is offline, however the error is wrapped [R99]', async () => {
  device(true);
  await fail(LOST);
  expect(serverAway.get()).toBe(false);
  device(false);
  await fail(BUSY);
  await fail(new Error('A crash of our own'));
  expect(serverAway.get()).toBe(false);
  await fail(new Error('Failed to fetch projects', { cause: LOST }));
  expect(serverAway.get()).toBe(true);
  serverAway.set(false);
  await fail(LOST);
  expect(serverAway.get()).toBe(true);
});

test("the connection follows the device's network events", () => {
  dispatchEvent(new Event('offline'));
  expect(serverAway.get()).toBe(true);
  dispatchEvent(new Event('online'));
  expect(serverAway.get()).toBe(false);
});
