import { afterEach, expect, test, vi } from 'vitest';
import { send, watchSession } from './http.ts';

afterEach(() => vi.unstubAllGlobals());

const reject = (status: number, error: string) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ error, message: 'No' }), { status }));

test('a call without a live session is reported with the era in which it was sent', async () => {
  const lost = vi.fn<(era: number) => void>();
  let era = 7;
  watchSession({ era: () => era, lost });
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => response.promise);
  const call = send('GET /api/payments');
  era = 8;
  response.resolve(new Response('{"error":"not_signed_in","message":"User not logged in"}', { status: 401 }));
  await expect(call).rejects.toMatchObject({ status: 401, code: 'not_signed_in' });
  expect(lost).toHaveBeenCalledExactlyOnceWith(7);
});

test.each([
  [401, 'signature_required'],
  [401, 'invalid_password'],
  [401, 'not_authenticated'],
  [403, 'not_yours'],
  [500, 'not_signed_in'],
])('a %i with %s says nothing about the session', async (status, code) => {
  const lost = vi.fn<(era: number) => void>();
  watchSession({ era: () => 1, lost });
  reject(status, code);
  await expect(send('POST /api/auth/wallet', { body: {} })).rejects.toMatchObject({ status });
  expect(lost).not.toHaveBeenCalled();
});
