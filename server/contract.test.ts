import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fastify from 'fastify';
import openapiTS from 'openapi-typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import { supply } from '#shared/contract/index.ts';
import { collectUndocumented } from './kit/http/check-response.ts';
import { allRoutes } from './routes.ts';
import { CLIENT } from '#lab/testing/openapi-client.ts';
import { PUBLIC_ORIGIN, createTestApp } from '#lab/testing/app.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';

const server = await createTestApp();
const endpoints = allEndpoints();
const implemented = new Set(allRoutes.map((route) => route.endpoint));

function pathOf(endpoint: EndpointSpec, values: Record<string, string> = {}): string {
  const samples: Record<string, string> = { id: '1', key: 'WITHDRAWALS_PAUSED', address: ADMIN_KEYPAIR.toSuiAddress() };
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? samples[name] ?? '1');
}

test('the server implements every endpoint of the contract [S6.4]', () => {
  const missing = endpoints.filter(([, endpoint]) => !implemented.has(endpoint)).map(([name]) => name);
  expect(missing).toEqual([]);
});

describe('without a session every endpoint that is not public responds with 401 [S6.4 R3]', () => {
  const closed = endpoints.filter(([, endpoint]) => endpoint.access !== 'public' && implemented.has(endpoint));
  test.each(closed)('rejects without a session: %s', async (_name, endpoint) => {
    const response = await new Client(server.url).send(
      endpoint.method,
      pathOf(endpoint),
      endpoint.method === 'GET' ? undefined : {},
    );
    expect(response.status).toBe(401);
    // The page knows by this code that its session has ended (web/lib/http.ts).
    expect(response.body).toMatchObject({ error: 'not_signed_in', message: expect.any(String) });
  });
});

describe('a cookie without a session gets 401 before the request is validated [S6.4 R3]', () => {
  const closed = endpoints.filter(([, endpoint]) => endpoint.access !== 'public' && implemented.has(endpoint));
  const stranger = new Client(server.url);
  stranger.cookie = `${server.app.sessionCookie}=${'a'.repeat(43)}`;
  const badPath = (endpoint: EndpointSpec) =>
    `${pathOf(endpoint, { id: 'x', key: 'x', address: 'x' })}?limit=x&userId=x`;

  test.each(closed)('rejects an unknown cookie first: %s', async (_name, endpoint) => {
    const bodies: Array<[body: unknown, headers?: Record<string, string>]> =
      endpoint.method === 'GET'
        ? [[undefined]]
        : [
            [{ userId: 'x' }],
            [[]],
            ['{"userId":'],
            ['x'.repeat(70_000)],
            ['userId=1', { 'content-type': 'text/plain' }],
          ];
    for (const [body, headers] of bodies) {
      const response = await stranger.send(endpoint.method, badPath(endpoint), body, headers);
      expect(response).toMatchObject({ status: 401, body: { error: 'not_signed_in' } });
    }
  });
});

describe('a session that is not the admin’s gets 403 from every admin endpoint [S6.3 S6.4 R31]', () => {
  const admin = endpoints
    .filter(([, { access }]) => access === 'admin' || access === 'role')
    .filter(([, e]) => implemented.has(e));
  test.each(admin)('rejects a session without a role: %s', async (_name, endpoint) => {
    const user = await newUser(server);
    const response = await user.send(endpoint.method, pathOf(endpoint), endpoint.method === 'GET' ? undefined : {}, {
      'x-admin-token': 'made-up',
    });
    expect(response.status).toBe(403);
  });
});

describe('the admin wallet without a valid token gets 401 from every endpoint behind the password [R31]', () => {
  const admin = endpoints.filter(([, { access }]) => access === 'admin').filter(([, e]) => implemented.has(e));
  test.each(admin)('rejects without a token: %s', async (_name, endpoint) => {
    const user = await newUser(server, ADMIN_KEYPAIR);
    const response = await user.send(endpoint.method, pathOf(endpoint), endpoint.method === 'GET' ? undefined : {}, {
      'x-admin-token': 'made-up',
    });
    expect(response.status).toBe(401);
  });
});

describe('data of another user is rejected with 403 [R3]', () => {
  const own = endpoints.filter(([, { access }]) => access === 'self').filter(([, e]) => implemented.has(e));
  test.each(own)('rejects access to another user: %s', async (_name, endpoint) => {
    const [user, other] = [await newUser(server), await newUser(server)];
    const response = await user.send(
      endpoint.method,
      pathOf(endpoint, { id: String(other.id) }),
      endpoint.method === 'GET' ? undefined : {},
    );
    expect(response.status).toBe(403);
  });
});

describe('identity fields of another user are rejected with 403 [R3]', () => {
  test.each(['userId', 'walletAddress', 'submittedBy'])("rejects another user's %s in a body", async (field) => {
    const user = await newUser(server);
    const response = await user.post('/api/votes', {
      userId: user.id,
      projectId: 1,
      voteType: 'bullish',
      [field]: field === 'userId' ? user.id + 1 : ADMIN_KEYPAIR.toSuiAddress(),
    });
    expect(response).toMatchObject({ status: 403, body: { error: 'not_yours' } });
  });
  test('rejects another userId in a query with 403, and without a session with 401', async () => {
    const user = await newUser(server);
    expect((await user.get(`/api/projects?userId=${user.id + 1}`)).status).toBe(403);
    expect((await user.get(`/api/leaderboard?userId=${user.id + 1}`)).status).toBe(403);
    const vote = { userId: user.id, projectId: 1, voteType: 'bullish' };
    expect((await user.post(`/api/votes?userId=${user.id + 1}`, vote)).status).toBe(403);
    user.cookie = '';
    expect((await user.get(`/api/projects?userId=${user.id}`)).status).toBe(401);
  });
});

describe('a write that another site makes the browser send is refused [R5]', () => {
  const writes = endpoints.filter(([, { method }]) => method !== 'GET').filter(([, e]) => implemented.has(e));
  test.each(writes)('refuses from another site: %s', async (_name, endpoint) => {
    const user = await newUser(server);
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      const response = await user.send(endpoint.method, pathOf(endpoint), undefined, headers);
      expect(response).toMatchObject({ status: 403, body: { error: 'foreign_origin' } });
    }
  });

  test('a write without an Origin header is accepted', async () => {
    const user = await newUser(server);
    const vote = { userId: user.id, projectId: 1, voteType: 'bullish' };
    expect((await user.post('/api/votes', vote, { 'sec-fetch-site': 'none' })).status).toBe(404);
  });

  test('a write from our own origin, or from the requested host, is accepted', async () => {
    const user = await newUser(server);
    for (const origin of [PUBLIC_ORIGIN, server.url]) {
      const response = await user.post(
        '/api/votes',
        { userId: user.id, projectId: 1, voteType: 'bullish' },
        { origin, 'sec-fetch-site': 'same-origin' },
      );
      expect(response.status).toBe(404);
    }
  });
});

test('the contract describes what every call returns, and is served as OpenAPI 3.1 with every endpoint [S7.26]', async () => {
  const { body } = await new Client(server.url).get<{ openapi: string; paths: Record<string, object> }>(
    '/api/openapi.json',
  );
  expect(body.openapi).toBe('3.1.0');
  const operations = Object.values(body.paths).flatMap((path) => Object.keys(path));
  expect(operations.length).toBe(endpoints.length);
});

describe('the statuses of the OpenAPI document', () => {
  type Responses = Record<string, { headers?: object; content?: object }>;
  type Operations = Record<string, { operationId: string; responses: Responses }>;
  const read = async () => {
    const { body } = await new Client(server.url).get<{ paths: Record<string, Operations> }>('/api/openapi.json');
    return Object.values(body.paths).flatMap((path) => Object.values(path));
  };

  test('the OpenAPI document names every operation once, with all other responses, including when to retry [R53 S7.26]', async () => {
    const operations = await read();
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { responses } of operations) {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '500', '503']));
      expect(responses).not.toHaveProperty('default');
      for (const status of ['429', '503']) expect(responses[status]?.headers).toHaveProperty('Retry-After');
    }
  });

  test('the OpenAPI document includes the challenge of a sign-in, a pending payment and the price of a listing [R1 R17 R53]', async () => {
    const byName = new Map((await read()).map(({ operationId, responses }) => [operationId, responses]));
    expect(JSON.stringify(byName.get('signIn')?.['401'])).toContain('"challenge"');
    expect(Object.keys(byName.get('createProject') ?? {})).toEqual(
      expect.arrayContaining(['201', '202', '400', '401', '402', '403', '409', '413', '415']),
    );
    expect(JSON.stringify(byName.get('createProject')?.['202'])).toContain('"pending"');
    expect(JSON.stringify(byName.get('createProject')?.['201'])).not.toContain('"pending"');
    expect(byName.get('exportPayments')?.['200']?.content).toHaveProperty('text/csv');
  });

  test('undeclared statuses are collected, so that the test of that endpoint fails [R53]', async () => {
    const app = fastify();
    collectUndocumented(app);
    app.get<{ Params: { status: string } }>(
      '/:status',
      { config: { endpoint: supply.getSupply } },
      (request, reply) => void reply.code(Number(request.params.status)).send({}),
    );
    for (const status of [200, 404, 418]) await app.inject(`/${status}`);
    expect(app.undocumented).toEqual(['GET /api/supply responded with 404', 'GET /api/supply responded with 418']);
  });
});

test('the client of openapi-typescript compiles, and knows bodies by status [R53]', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'openapi-client-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await writeFile(path.join(dir, 'api.ts'), await openapiTS(new URL('/api/openapi.json', server.url)));
  await writeFile(path.join(dir, 'client.ts'), CLIENT);
  const options = '--strict --noEmit --noUncheckedIndexedAccess --module nodenext --allowImportingTsExtensions';
  const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const output = await promisify(execFile)(process.execPath, [tsc, ...options.split(' '), 'client.ts'], {
    cwd: dir,
  }).catch((error: unknown) => error);
  expect(output).toMatchObject({ stdout: '', stderr: '' });
});
