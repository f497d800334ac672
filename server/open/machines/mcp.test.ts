import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { normalizeStructTag } from '@mysten/sui/utils';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, setProject } from '#lab/testing/builders.ts';
import { castVote, newUser } from '#lab/testing/client.ts';
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
      expect([name, textsOfUsers.fields.includes('description')]).toEqual([name, true]);
      const { asOf: _asOf, ...same } = (await (await fetch(`${server.url}${address}`)).json()) as { asOf?: string };
      expect(data).toMatchObject(same);
    }
  });

  test('a mistake in a call is an error of the tool, with the words of the open API', async () => {
    const client = await connect();
    const missing = await client.callTool({ name: 'project', arguments: { id: 'no-such-frog' } });
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toContain('Project not found');
    const both = await client.callTool({ name: 'lookup', arguments: {} });
    expect(both.isError).toBe(true);
  });

  test('a page of any site may call them, without a cookie, and there is no session to open', async () => {
    const response = await post(LIST, { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    const preflight = await fetch(`${server.url}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
    for (const method of ['GET', 'DELETE']) {
      const other = await fetch(`${server.url}/mcp`, { method });
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test.each([
    ['a thousand calls at once', Array.from({ length: 1_000 }, () => LIST), 400],
    ['a subscription', { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} }, 400],
    ['no message', {}, 400],
    ['text', 'null', 400],
    ['a message of 100 KB', { ...LIST, params: { text: 'x'.repeat(100_000) } }, 413],
  ])('rejects %s', async (_what, body, status) => {
    expect((await post(body)).status).toBe(status);
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
