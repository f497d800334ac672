import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { normalizeStructTag } from '@mysten/sui/utils';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { USER_TEXTS, USER_TEXTS_HEADER } from '#shared/text/user-texts.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, setProject } from '#lab/testing/builders.ts';
import { castVote, newUser } from '#lab/testing/client.ts';
import { rateLimited } from '#server/kit/http/errors.ts';
import { clientAddress } from '#server/kit/http/client-address.ts';

const server = await createTestApp();
const { db } = server.services;

async function connect(url = server.url): Promise<McpClient> {
  const client = new McpClient({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  onTestFinished(() => client.close());
  return client;
}
const textOf = (result: unknown): string => (result as { content: Array<{ text: string }> }).content[0]?.text ?? '';
const post = (body: unknown, headers: Record<string, string> = {}, url = server.url) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('tools for machines [R93]', () => {
  test('the official client calls all five tools, whose answers are those of the open API with texts of users marked', async () => {
    const projectId = await insertProject(db, { name: 'Quiet Frog' });
    await setProject(db, projectId, { coinType: normalizeStructTag('0x2::frog::FROG'), coinSource: 'catalogue' });
    await castVote(await newUser(server), projectId);
    await server.allNotified();
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['lookup', 'project', 'leaderboard', 'trend', 'trust']);
    for (const { description, annotations } of tools)
      expect({ isDescribed: (description ?? '').length > 20, annotations }).toMatchObject({
        isDescribed: true,
        annotations: { readOnlyHint: true },
      });
    const inputs: Record<string, [input: Record<string, unknown>, address: string]> = {
      lookup: [{ coin: '0x2::frog::FROG' }, '/api/v1/lookup?coin=0x2::frog::FROG'],
      project: [{ id: String(projectId) }, `/api/v1/projects/${projectId}`],
      leaderboard: [{ sort: 'verified', limit: 5 }, '/api/v1/projects?sort=verified&limit=5'],
      trend: [{ id: String(projectId) }, `/api/v1/projects/${projectId}/trend`],
      trust: [{}, '/api/v1/trust'],
    };
    for (const [name, [input, address]] of Object.entries(inputs)) {
      const result = await client.callTool({ name, arguments: input });
      expect([name, result.isError ? textOf(result) : '']).toEqual([name, '']);
      const { textsOfUsers, data } = JSON.parse(textOf(result)) as { textsOfUsers: { fields: string[] }; data: object };
      expect([name, textsOfUsers.fields.includes('coinType')]).toEqual([name, true]);
      const { asOf: _asOf, ...same } = (await (await fetch(`${server.url}${address}`)).json()) as { asOf?: string };
      expect(data).toMatchObject(same);
    }
  });

  test('the tool that looks up takes a list of coins, and answers in its order', async () => {
    const coinType = normalizeStructTag('0x5::reef::REEF');
    await setProject(db, await insertProject(db, { name: 'Reef' }), { coinType, coinSource: 'catalogue' });
    await server.allNotified();
    const client = await connect();
    const result = await client.callTool({ name: 'lookup', arguments: { coin: ['0x2::sui::SUI', '0x5::reef::REEF'] } });
    const { data } = JSON.parse(textOf(result)) as { data: unknown };
    expect(data).toMatchObject([
      { coin: '0x2::sui::SUI', found: null },
      { coin: '0x5::reef::REEF', found: { name: 'Reef' } },
    ]);
  });

  test('every response of the open API names the fields in which users wrote', async () => {
    const name = 'Marked Frog';
    const coinType = normalizeStructTag('0x7::marked::MARKED');
    const projectId = await insertProject(db, { name });
    const texts = { slug: 'marked', description: 'marked', website: 'https://marked.example', twitterHandle: 'marked' };
    await setProject(db, projectId, { ...texts, coinType, coinSource: 'catalogue' });
    const user = await newUser(server);
    await db.updateTable('users').set({ username: 'marked' }).where('id', '=', user.id).execute();
    await db.insertInto('reviews').values({ projectId, userId: user.id, content: 'marked' }).execute();
    await server.allNotified();
    const found = new Set<string>();
    const look = (value: unknown, key = ''): void => {
      if (typeof value === 'string' && /marked/i.test(value)) found.add(key);
      if (typeof value === 'object' && value !== null)
        for (const [inner, part] of Object.entries(value)) look(part, Array.isArray(value) ? key : inner);
    };
    for (const path of [
      'projects',
      `projects/${projectId}`,
      `projects/${projectId}/reviews`,
      `lookup?coin=${coinType}`,
    ]) {
      const response = await fetch(`${server.url}/api/v1/${path}`);
      expect(response.headers.get(USER_TEXTS_HEADER)).toBe(USER_TEXTS.fields.join(', '));
      look(await response.json());
    }
    const marked: readonly string[] = USER_TEXTS.fields;
    expect([...found].filter((field) => !marked.includes(field))).toEqual([]);
    expect(found.size).toBeGreaterThan(8);
  });

  test('a mistake in a call is an error of the tool, with the words of the open API', async () => {
    const client = await connect();
    const missing = await client.callTool({ name: 'project', arguments: { id: 'no-such-frog' } });
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toContain('Project not found');
    const both = await client.callTool({ name: 'lookup', arguments: {} });
    expect(both.isError).toBe(true);
  });

  test('pages of any site may call the tools, without a cookie and without opening a session', async () => {
    const response = await post(LIST, { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    const preflight = await fetch(`${server.url}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*, Authorization');
    for (const method of ['GET', 'DELETE']) {
      const other = await fetch(`${server.url}/mcp`, { method });
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('a client reads all rows of the leaderboard, verified first and ten at a time, by the answers alone', async () => {
    for (let at = 0; at < 23; at += 1) await insertProject(db, { name: `Row ${at}` });
    await server.allNotified();
    const client = await connect();
    const rest = await fetch(`${server.url}/api/v1/projects?sort=verified&limit=100`);
    const expected = ((await rest.json()) as Array<{ id: number }>).map(({ id }) => id);
    const ids: number[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const result: unknown = await client.callTool({ name: 'leaderboard', arguments: { cursor } });
      const answer = JSON.parse(textOf(result)) as { data: Array<{ id: number }>; nextCursor: string; total: number };
      expect(answer.total).toBe(expected.length);
      ids.push(...answer.data.map(({ id }) => id));
      sizes.push(answer.data.length);
      cursor = answer.nextCursor;
    } while (cursor !== null);
    expect(ids).toEqual(expected);
    expect(sizes[0]).toBe(10);
  });

  test('null and empty arguments are taken as absent', async () => {
    const client = await connect();
    for (const empty of [null, '']) {
      const input = { limit: 3, search: empty, category: empty, cursor: empty, sort: empty };
      expect((await client.callTool({ name: 'leaderboard', arguments: input })).isError).toBe(false);
    }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'trust', arguments: null } };
    expect(await (await post(call)).text()).toContain('textsOfUsers');
  });

  const INITIALIZE = {
    ...LIST,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const TOO_MANY = Array.from({ length: 1_000 }, () => LIST);
  test.each<[what: string, body: unknown, status: number, code: number, headers?: Record<string, string>]>([
    ['a thousand calls at once', TOO_MANY, 400, -32_600],
    ['a batch of a version without batches', [LIST], 400, -32_600, { 'mcp-protocol-version': '2025-06-18' }],
    ['a subscription', { ...LIST, method: 'subscriptions/listen' }, 400, -32_600],
    ['no message', {}, 400, -32_600],
    ['text', 'null', 400, -32_600],
    ['broken JSON', '{"jsonrpc":', 400, -32_700],
    [
      '30,000 brackets',
      `{"jsonrpc":"2.0","id":1,"method":"x","params":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      400,
      -32_700,
    ],
    ['a message of 100 KB', { ...LIST, params: { text: 'x'.repeat(100_000) } }, 413, -32_000],
    ['another type', LIST, 415, -32_000, { 'content-type': 'text/plain' }],
    ['an unknown version', LIST, 400, -32_602, { 'mcp-protocol-version': '2099-01-01' }],
  ])('rejects %s with an error of JSON-RPC', async (_what, body, status, code, headers) => {
    const response = await post(body, headers);
    expect([response.status, await response.json()]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
  });

  test('accepts a batch in the version that has batches, and an initialize with any version in its header', async () => {
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const batch = await post([LIST, notification, ping], { 'mcp-protocol-version': '2025-03-26' });
    expect(((await batch.json()) as Array<{ id: number }>).map(({ id }) => id)).toEqual([1, 2]);
    expect((await post([notification])).status).toBe(202);
    expect((await post(INITIALIZE, { 'mcp-protocol-version': '2099-01-01' })).status).toBe(200);
  });

  test.each(['application/json', '*/*', ''])('responds with JSON to a client that accepts "%s"', async (accept) => {
    const response = await post(LIST, { accept });
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'application/json']);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 1 });
    expect(
      (
        await fetch(`${server.url}/mcp/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept },
          body: JSON.stringify(LIST),
        })
      ).status,
    ).toBe(200);
  });

  test('a call beyond the limit is told how many seconds to wait', async () => {
    const charge = vi.spyOn(server.app.readBudget, 'charge').mockImplementation(() => {
      throw rateLimited(7_000);
    });
    onTestFinished(() => charge.mockRestore());
    const client = await connect();
    const result = await client.callTool({ name: 'leaderboard', arguments: { search: 'too soon' } });
    expect(JSON.parse(textOf(result))).toMatchObject({ error: 'rate_limited', retryAfterSeconds: 7 });
  });

  test('a call costs its client what the read of the open API costs, and no second request', async () => {
    const projectId = await insertProject(db);
    const charge = vi.spyOn(server.app.readBudget, 'charge');
    onTestFinished(() => charge.mockRestore());
    const charged = () => charge.mock.calls.map(([request, userId, cost]) => [clientAddress(request), userId, cost]);
    await fetch(`${server.url}/api/v1/projects/${projectId}/reviews`);
    await fetch(`${server.url}/api/v1/projects?limit=7`);
    const before = charged();
    expect(before.length).toBeGreaterThan(0);
    charge.mockClear();
    const client = await connect();
    await client.callTool({ name: 'leaderboard', arguments: { limit: 8 } });
    expect(charged()).toEqual(before.slice(-1));
  });
});

test('llms.txt names every read of the open API, the tools and the license [R93]', async () => {
  const response = await fetch(`${server.url}/llms.txt`);
  const text = await response.text();
  const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  const open = Object.keys(paths).filter((path) => path.startsWith('/api/v1/'));
  expect(open.length).toBeGreaterThan(10);
  expect(open.filter((path) => !text.includes(`(https://snapswipe.test${path})`))).toEqual([]);
  expect(text).toContain('https://snapswipe.test/mcp');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});
