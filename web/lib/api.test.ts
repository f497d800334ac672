import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError, errorText } from './api-error.ts';
import { api } from './api.ts';
import { buildUrl } from './http.ts';

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

describe('calls', () => {
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

  test('a write without a body has no content type either [S7.1]', async () => {
    const fetch = response('{"success":true}');
    vi.stubGlobal('fetch', fetch);
    await api.signOut();
    expect(fetch).toHaveBeenCalledWith('/api/auth/logout', expect.objectContaining({ method: 'POST', headers: {} }));
  });

  test('a body goes as JSON, extra headers stay [S7.1]', async () => {
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

  test('path parameters are encoded, missing query values left out [S7.4]', () => {
    expect(buildUrl('/api/projects/{id}', { id: 'a/b?c' })).toBe('/api/projects/a%2Fb%3Fc');
    expect(buildUrl('/api/leaderboard', {}, { userId: undefined })).toBe('/api/leaderboard');
    expect(buildUrl('/api/admin/audit', {}, { q: 'a b&c', before: 3 })).toBe('/api/admin/audit?q=a+b%26c&before=3');
  });
});

describe('errors', () => {
  test("the text of an error is 'status: body message', and the server's sentence is available alone [S8.1 R34]", async () => {
    const body = '{"error":"already_voted","message":"Already voted on this project"}';
    vi.stubGlobal('fetch', response(body, { status: 409 }));
    const error = await failure(api.castVote({ body: { userId: 1, projectId: 2, voteType: 'bullish' } }));
    expect(error.message).toBe('409: Already voted on this project');
    expect(error).toMatchObject({ status: 409, code: 'already_voted', serverMessage: 'Already voted on this project' });
  });

  test('a body that is not JSON is shown unchanged, an empty one as the status text [S8.1]', async () => {
    vi.stubGlobal('fetch', response('upstream gone', { status: 502, statusText: 'Bad Gateway' }));
    expect((await failure(api.listProjects())).message).toBe('502: upstream gone');
    vi.stubGlobal('fetch', response('', { status: 503, statusText: 'Service Unavailable' }));
    expect((await failure(api.listProjects())).message).toBe('503: Service Unavailable');
  });

  test('the error field is shown where there is no message [S8.3]', async () => {
    vi.stubGlobal('fetch', response('{"error":"Invalid password"}', { status: 401 }));
    expect((await failure(api.listProjects())).serverMessage).toBe('Invalid password');
  });

  test('a rejection carries Retry-After and its field [R8]', async () => {
    const body = '{"error":"invalid_field","message":"This username is taken","field":"username"}';
    vi.stubGlobal('fetch', response(body, { status: 429, headers: { 'retry-after': '90' } }));
    expect(await failure(api.listProjects())).toMatchObject({ retryAfterS: 90, field: 'username' });
  });

  test('the whole body of a 401 is kept: the challenge travels in it [R1]', async () => {
    const body = {
      error: 'signature_required',
      message: 'Sign',
      challenge: { nonce: 'n', message: 'm', expiresAt: 't' },
    };
    vi.stubGlobal('fetch', response(JSON.stringify(body), { status: 401 }));
    expect((await failure(api.signIn({ body: { walletAddress: '0x1' } }))).body).toEqual(body);
  });

  test('a missing response is an error of status 0 with a readable message [S8.1]', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const error = await failure(api.listProjects());
    expect(error).toMatchObject({ status: 0, code: 'offline' });
    expect(error.message).toBe('The server cannot be reached. Check your connection and try again.');
  });

  test('an aborted call rejects with the abort, not with an error to show', async () => {
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => Promise.reject(init.signal?.reason as Error));
    const controller = new AbortController();
    controller.abort();
    await expect(api.listProjects({ signal: controller.signal })).rejects.toHaveProperty('name', 'AbortError');
  });

  test("errorText shows the server's sentence, else the error's, else the fallback [S8.3]", async () => {
    vi.stubGlobal('fetch', response('{"message":"Own project"}', { status: 403 }));
    expect(errorText(await failure(api.listProjects()), 'Failed to submit vote')).toBe('Own project');
    expect(errorText(new Error('Rejected'), 'Failed to submit vote')).toBe('Rejected');
    expect(errorText(null, 'Failed to submit vote')).toBe('Failed to submit vote');
  });
});
