// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import { whenSeen } from './when-seen.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('a refund is recorded once the server has seen it, and given up after 15 attempts [R80]', async () => {
  const record = vi.fn<() => Promise<string>>();
  const serverMessage = 'Not there yet';
  const fields = { status: 404, code: 'not_found_yet', serverMessage, field: null, retryAfterS: null, body: null };
  const early = new ApiError(fields);
  record.mockRejectedValueOnce(early).mockRejectedValueOnce(early).mockResolvedValue('done');
  const recorded = whenSeen(record);
  await vi.advanceTimersByTimeAsync(2_000);
  await expect(recorded).resolves.toBe('done');
  expect(record).toHaveBeenCalledTimes(3);
  record.mockReset().mockRejectedValue(early);
  const late = whenSeen(record).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await late).toBe(early);
  expect(record).toHaveBeenCalledTimes(15);
});
