import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError, errorText } from './api-error.ts';
import { api } from './api.ts';
import { fetchRows } from './fetch-page.ts';
import { buildUrl, request, watchSession } from './http.ts';

const response = (body: string | null, init?: ResponseInit) =>
  vi.fn<typeof globalThis.fetch>(async () => new Response(body, init));

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

afterEach(() => vi.unstubAllGlobals());

test('a read sends credentials, no body and no content type [S7.1]', async () => {
  const fetch = response('[]');
  vi.stubGlobal('fetch', fetch);
  await expect(api.listProjects({ query: { userId: 7 } })).resolves.toEqual([]);
  expect(fetch).toHaveBeenCalledWith(
    '/api/projects?userId=7',
    expect.objectContaining({ method: 'GET', credentials: 'include', headers: {} }),
  );
  expect(fetch).toHaveBeenCalledWith(expect.anything(), expect.not.objectContaining({ body: expect.anything() }));
});

test('a write without a body has no content type [S7.1]', async () => {
  const fetch = response('{"success":true}');
  vi.stubGlobal('fetch', fetch);
  await api.signOut();
  expect(fetch).toHaveBeenCalledWith('/api/auth/logout', expect.objectContaining({ method: 'POST', headers: {} }));
});

test('a body is sent as JSON and keeps extra headers [S7.1]', async () => {
  const fetch = response('{}');
  vi.stubGlobal('fetch', fetch);
  await api.requestWithdrawal({
    body: { userId: 1, walletAddress: '0x1', tokenAmount: 50 },
    headers: { 'idempotency-key': 'k' },
  });
  expect(fetch).toHaveBeenCalledWith(
    '/api/withdrawals',
    expect.objectContaining({
      method: 'POST',
      body: '{"userId":1,"walletAddress":"0x1","tokenAmount":50}',
      headers: { 'idempotency-key': 'k', 'content-type': 'application/json' },
    }),
  );
});

test('path parameters are encoded, and undefined query values are left out [S7.4]', () => {
  expect(buildUrl('/api/projects/{id}', { id: 'a/b?c' })).toBe('/api/projects/a%2Fb%3Fc');
  expect(buildUrl('/api/leaderboard', {}, { userId: undefined })).toBe('/api/leaderboard');
  expect(buildUrl('/api/admin/audit', {}, { q: 'a b&c', before: 3 })).toBe('/api/admin/audit?q=a+b%26c&before=3');
});

test("an error reads 'status: message', and has the server's message alone [S8.1 R34]", async () => {
  const body = '{"error":"already_voted","message":"Already voted on this project"}';
  vi.stubGlobal('fetch', response(body, { status: 409 }));
  const error = await failure(api.castVote({ body: { userId: 1, projectId: 2, voteType: 'bullish' } }));
  expect(error.message).toBe('409: Already voted on this project');
  expect(error).toMatchObject({ status: 409, code: 'already_voted', serverMessage: 'Already voted on this project' });
});

test('an error shows a body that is not JSON unchanged, and the status text for an empty one [S8.1]', async () => {
  vi.stubGlobal('fetch', response('gone', { status: 500, statusText: 'Internal Server Error' }));
  expect((await failure(api.listProjects())).message).toBe('500: gone');
  vi.stubGlobal('fetch', response('', { status: 500, statusText: 'Internal Server Error' }));
  expect((await failure(api.listProjects())).message).toBe('500: Internal Server Error');
});

test('an error without a message shows its error field [S8.3]', async () => {
  vi.stubGlobal('fetch', response('{"error":"Invalid password"}', { status: 401 }));
  expect((await failure(api.listProjects())).serverMessage).toBe('Invalid password');
});

test('an error has Retry-After and the rejected field [R8]', async () => {
  const body = '{"error":"invalid_field","message":"This username is taken","field":"username"}';
  vi.stubGlobal('fetch', response(body, { status: 429, headers: { 'retry-after': '90' } }));
  expect(await failure(api.listProjects())).toMatchObject({ retryAfterS: 90, field: 'username' });
});

test('an error keeps the whole body of a 401, which has the challenge [R1]', async () => {
  const body = {
    error: 'signature_required',
    message: 'Sign',
    challenge: { nonce: 'n', message: 'm', expiresAt: 't' },
  };
  vi.stubGlobal('fetch', response(JSON.stringify(body), { status: 401 }));
  expect((await failure(api.signIn({ body: { walletAddress: '0x1' } }))).body).toEqual(body);
});

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PORTAL = '<!DOCTYPE html><title>Sign in to the network</title>';
const never: typeof globalThis.fetch = (_, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
  );

describe('says that the server is away, for reads, lists and writes [R99]', () => {
  test.each<[what: string, fetch: typeof globalThis.fetch]>([
    ['without a response', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['for the page of a portal', response(PORTAL, { headers: HTML })],
    ['for a portal that calls its page text', response(PORTAL)],
    ...[502, 503, 504, 511].map((status): [string, typeof globalThis.fetch] => [
      `for a proxy's ${status}`,
      response('upstream gone', { status }),
    ]),
    ['for a response that ends in the middle', response('[{"id":')],
  ])('%s', async (_what, fetch) => {
    vi.stubGlobal('fetch', fetch);
    const calls = [api.listProjects(), fetchRows('listReviews', { params: { id: '1' } }), api.signOut()];
    for (const error of await Promise.all(calls.map(failure))) {
      expect(error).toMatchObject({ status: 0, code: 'offline' });
      expect(error.message).toBe('The server is away. Try again.');
    }
  });

  test('without an answer in time', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
      init.signal?.aborted ? Promise.reject(init.signal.reason as Error) : never(address, init),
    );
    expect(await failure(api.listProjects({ signal: new AbortController().signal }))).toMatchObject({
      code: 'offline',
    });
    expect(timeout).toHaveBeenLastCalledWith(15_000);
    timeout.mockRestore();
  });

  test('not for a 503 of the server, which says why', async () => {
    vi.stubGlobal('fetch', response('{"error":"chain_unreachable","message":"Try again"}', { status: 503 }));
    expect(await failure(api.listProjects())).toMatchObject({ status: 503, serverMessage: 'Try again' });
  });
});

test('an aborted call rejects with the abort', async () => {
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => Promise.reject(init.signal?.reason as Error));
  const controller = new AbortController();
  controller.abort();
  await expect(api.listProjects({ signal: controller.signal })).rejects.toHaveProperty('name', 'AbortError');
});

test("errorText shows the server's message, then the error's, then the fallback [S8.3]", async () => {
  vi.stubGlobal('fetch', response('{"message":"Own project"}', { status: 403 }));
  expect(errorText(await failure(api.listProjects()), 'Failed to submit vote')).toBe('Own project');
  expect(errorText(new Error('Rejected'), 'Failed to submit vote')).toBe('Rejected');
  expect(errorText(null, 'Failed to submit vote')).toBe('Failed to submit vote');
});

afterEach(() => vi.unstubAllGlobals());

const reject = (status: number, error: string) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ error, message: 'No' }), { status }));

test('a call that finds no session reports the era in which it was sent', async () => {
  const lost = vi.fn<(era: number) => void>();
  let era = 7;
  watchSession({ era: () => era, lost });
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => response.promise);
  const call = request('GET /api/payments');
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
])('a %i with %s does not end the session', async (status, code) => {
  const lost = vi.fn<(era: number) => void>();
  watchSession({ era: () => 1, lost });
  reject(status, code);
  await expect(request('POST /api/auth/wallet', { body: {} })).rejects.toMatchObject({ status });
  expect(lost).not.toHaveBeenCalled();
});
