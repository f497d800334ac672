// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SHELL_META } from '#shared/offline.ts';
import { ApiError } from '../lib/api-error.ts';
import { queryClient } from '../lib/queries.ts';

// The page comes out of the worker's store.
const shell = document.createElement('meta');
shell.name = SHELL_META;
document.head.append(shell);
const { connection } = await import('./connection.ts');

const LOST = ApiError.offline(new TypeError('Failed to fetch'));
const BUSY = new ApiError({
  status: 503,
  code: 'busy',
  serverMessage: '',
  field: null,
  retryAfterS: null,
  body: null,
});
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

test('a read without a response means offline only when the device says that it is offline', async () => {
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

test('events of the device set the connection', () => {
  dispatchEvent(new Event('offline'));
  expect(connection.get()).toBe('offline');
  dispatchEvent(new Event('online'));
  expect(connection.get()).toBe('online');
});
