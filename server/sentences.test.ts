import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';

const server = await createTestApp();
const [user, panel] = [await newUser(server), await signInAsAdmin(server)];

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  maxLength?: number;
  maximum?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}
type Values = Record<string, unknown>;

/** Default messages of the library, and messages for programmers. */
const JARGON =
  /expected|received|invalid input|invalid option|too (small|big)|[<>]=|FST_ERR|zod|regex|NaN|undefined|null|draft\.|[a-z][A-Z]|at \w+ \(/;
const SENTENCE = /^[A-Z][^\n]{5,160}[^:;,\n]$/;

const asSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
const branchesOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? [schema];
const plain = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;

function sample(name: string, declared: Schema): unknown {
  const schema = plain(declared);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (name === 'userId') return user.id;
  if (name === 'walletAddress' || name === 'submittedBy' || name === 'address') return user.address;
  if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return [sample('', schema.items ?? {})];
  if (schema.type === 'object') return valid(schema);
  return schema.pattern === '^\\d{1,15}$' || schema.pattern === '^\\d{1,20}$' ? '1' : 'x'.repeat(32);
}
function valid(schema: Schema): Values {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, sample(name, field)]));
}

function broken(declared: Schema): unknown[] {
  const schema = plain(declared);
  const { type } = schema;
  const others: unknown[] = [17.5, 'NOT ONE OF THESE', {}, [], false].filter((value) => {
    if (schema.enum?.includes(JSON.stringify(value))) return false;
    if (type === undefined) return schema.enum !== undefined || schema.const !== undefined;
    if (type === 'string') return typeof value !== 'string' || Boolean(schema.enum ?? schema.format ?? schema.pattern);
    if (type === 'array') return !Array.isArray(value) || schema.maxItems !== undefined;
    return type === 'number' || type === 'integer' ? true : typeof value !== type || Array.isArray(value);
  });
  if (schema.maxLength !== undefined && schema.maxLength < 1_000_000) others.push('y'.repeat(schema.maxLength + 1));
  if (type === 'integer' || type === 'number') others.push(-1, 0, 1e30, null);
  if (schema.maxItems !== undefined)
    others.push(
      Array.from({ length: schema.maxItems + 1 }, () => 1),
      [0],
      ['a'],
    );
  return others;
}

type Broken = [what: string, field: string, values: Values];

function brokenObjects(schema: Schema): Broken[] {
  return branchesOf(schema).flatMap((branch) => {
    const good = valid(branch);
    const fields = Object.entries(branch.properties ?? {});
    return fields.flatMap(([name, field]): Broken[] => [
      ...(branch.required?.includes(name) ? [[`${name} missing`, name, without(good, name)] satisfies Broken] : []),
      ...broken(field).map((value): Broken => [
        `${name} ${JSON.stringify(value).slice(0, 30)}`,
        name,
        { ...good, [name]: value },
      ]),
      // One level deeper: a project's draft.
      ...(field.properties
        ? brokenObjects(field).map(([what, inner, values]): Broken => [
            `${name}.${what}`,
            inner,
            { ...good, [name]: values },
          ])
        : []),
    ]);
  });
}
const without = (values: Values, name: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));

const samples: Record<string, string> = { key: 'WITHDRAWALS_PAUSED', address: user.address, wallet: user.address };
const isUuid = (endpoint: EndpointSpec) =>
  endpoint.params !== undefined && asSchema(endpoint.params).properties?.['id']?.format === 'uuid';
function pathOf(endpoint: EndpointSpec): string {
  const own = endpoint.access === 'self' ? String(user.id) : '1';
  const id = isUuid(endpoint) ? '00000000-0000-4000-8000-000000000000' : own;
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? id);
}

async function send(endpoint: EndpointSpec, path: string, body?: unknown) {
  const isAdmin = endpoint.access === 'admin' || endpoint.access === 'role';
  const client = isAdmin ? panel.admin : user;
  return client.send(endpoint.method, path, body, isAdmin ? { [ADMIN_TOKEN_HEADER]: panel.token } : {});
}

function problemOf(what: string, { status, body }: { status: number; body: Values }): string | null {
  if (status < 400) return null;
  // The user may call everything, so that only the input is rejected.
  if (status === 401 && body['error'] !== 'signature_required' && body['error'] !== 'invalid_password')
    return `${what}: not let in`;
  const { error, message } = body;
  const extra = Object.keys(body).filter((key) => key === 'statusCode' || key === 'code');
  const fine =
    status < 500 &&
    typeof error === 'string' &&
    typeof message === 'string' &&
    SENTENCE.test(message) &&
    !JARGON.test(message);
  return fine && extra.length === 0 ? null : `${what}: ${status} ${JSON.stringify(body)}`;
}

type Call = readonly [what: string, path: string, body?: unknown];
async function problemsOf(endpoint: EndpointSpec, calls: readonly Call[]): Promise<string[]> {
  const problems: Array<string | null> = [];
  for (const [what, path, body] of calls) problems.push(problemOf(what, await send(endpoint, path, body)));
  return problems.filter((problem) => problem !== null);
}

const endpoints = allEndpoints();
// The console returns PostgreSQL's messages.
const OPEN = new Set(['executeSql']);

describe('each rejection has a sentence that users understand, for every endpoint [R34]', () => {
  const withBody = endpoints.filter(([name, { body }]) => body && !OPEN.has(name.split('.').at(-1) ?? ''));
  test.each(withBody)('rejects bodies with a sentence: %s', async (_name, endpoint) => {
    const cases = brokenObjects(asSchema(endpoint.body ?? z.object({})));
    const problems: Array<string | null> = [];
    for (const [what, field, body] of cases) {
      const response = await send(endpoint, pathOf(endpoint), body);
      problems.push(problemOf(what, response));
      // The name that the form's input has, not where the request keeps it.
      if (response.body['error'] === 'invalid_input' && branchesOf(asSchema(endpoint.body ?? z.never())).length === 1)
        problems.push(response.body['field'] === field ? null : `${what}: about ${String(response.body['field'])}`);
    }
    for (const body of ['[]', '"text"', '17', 'true'])
      problems.push(problemOf(body, await send(endpoint, pathOf(endpoint), body)));
    expect(problems.filter(Boolean)).toEqual([]);
    expect(cases.length).toBeGreaterThan(0);
  });

  const PLACES = ['none', '-1', '1.5', '9'.repeat(30), 'x'.repeat(150), 'x'.repeat(300), '%00', '%E0%A4%A', '%'];
  const HOSTILE = ['a\0b', '\uD800', '\u202Eevil', '😀'.repeat(40), "'; DROP TABLE users; --", '../../etc'];
  test.each(withBody)('takes hostile texts, or rejects them with a sentence: %s', async (_name, endpoint) => {
    const calls = branchesOf(asSchema(endpoint.body ?? z.object({}))).flatMap((branch) =>
      Object.entries(branch.properties ?? {})
        .filter(([, field]) => plain(field).type === 'string')
        .flatMap(([name]) =>
          HOSTILE.map((text): Call => [`${name} ${text}`, pathOf(endpoint), { ...valid(branch), [name]: text }]),
        ),
    );
    expect(await problemsOf(endpoint, calls)).toEqual([]);
  });

  test.each(endpoints.filter(([, { query }]) => query))(
    'rejects queries with a sentence: %s',
    async (_name, endpoint) => {
      const calls = brokenObjects(asSchema(endpoint.query ?? z.object({}))).map(([what, , values]): Call => {
        const query = new URLSearchParams();
        for (const [key, value] of Object.entries(values))
          query.set(key, typeof value === 'string' ? value : JSON.stringify(value));
        return [what, `${pathOf(endpoint)}?${query.toString()}`];
      });
      expect(await problemsOf(endpoint, calls)).toEqual([]);
    },
  );

  test.each(endpoints.filter(([name, { path }]) => path.includes('{') && !OPEN.has(name.split('.').at(-1) ?? '')))(
    'rejects addresses with a sentence: %s',
    async (_name, endpoint) => {
      const calls = PLACES.map((text): Call => [text, endpoint.path.replace(/\{\w+\}/, text)]);
      expect(await problemsOf(endpoint, calls)).toEqual([]);
    },
  );
});

const HUGE_IDS = [2 ** 31, 999_999_999_999_999];
const numbersIn = ({ body }: EndpointSpec): string[] =>
  body === undefined
    ? []
    : branchesOf(asSchema(body)).flatMap(({ properties = {} }) =>
        Object.keys(properties).filter((name) => /id$/i.test(name) && properties[name]?.type === 'integer'),
      );

describe('an id that no row can have is unknown, and no error of the server [R34]', () => {
  test.each(endpoints.filter(([, { path }]) => path.includes('{')))(
    'takes huge ids in the address: %s',
    async (_name, endpoint) => {
      const body = endpoint.body && valid(branchesOf(asSchema(endpoint.body))[0] ?? {});
      const calls = HUGE_IDS.map((id): Call => [String(id), endpoint.path.replaceAll(/\{\w+\}/g, String(id)), body]);
      expect(await problemsOf(endpoint, calls)).toEqual([]);
    },
  );

  test.each(endpoints.filter(([, endpoint]) => numbersIn(endpoint).length > 0))(
    'takes huge ids in the body: %s',
    async (_name, endpoint) => {
      const calls = branchesOf(asSchema(endpoint.body ?? z.never())).flatMap((branch) =>
        numbersIn(endpoint).flatMap((name) =>
          HUGE_IDS.map((id): Call => [`${name} ${id}`, pathOf(endpoint), { ...valid(branch), [name]: id }]),
        ),
      );
      expect(await problemsOf(endpoint, calls)).toEqual([]);
    },
  );
});

describe('fields of a project’s draft are named as the form names them', () => {
  test.each([
    ['description', 'y'.repeat(2001), 'The description can be at most 200 characters long'],
    ['name', 'y'.repeat(501), 'The name can be at most 60 characters long'],
    ['category', 5, 'The category must be text'],
    ['twitterHandle', [], 'The X account link must be text'],
    ['website', 'y'.repeat(501), 'The launchpad link can be at most 500 characters long'],
  ])('%s', async (field, value, message) => {
    const response = await user.post('/api/payments', { purpose: 'submit', draft: { [field]: value } });
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_input', field, message } });
  });

  test('a character that cannot be stored is named, wherever it is', async () => {
    const draft = { name: 'Ti\0de' };
    expect(await user.post('/api/payments', { purpose: 'submit', draft })).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_text',
        field: 'name',
        message: 'The name contains a character that cannot be stored (NUL)',
      },
    });
    for (const path of ['/api/admin/audit?q=%00', '/api/admin/audit?q=a%00b'])
      expect(await panel.get(path)).toMatchObject({ status: 400, body: { error: 'invalid_text', field: 'q' } });
  });
});

describe('the framework’s own rejections have our form and do not reveal it [R34]', () => {
  const anyone = new Client(server.url);
  test('malformed escapes in an address get 404', async () => {
    for (const path of [
      '/api/projects/%E0%A4%A',
      '/api/%',
      '/api/projects/%zz/reviews',
      '/images/%E0',
      '/api/users/%/stats',
    ])
      expect([path, problemOf(path, await user.get(path))]).toEqual([path, null]);
    expect(await anyone.get('/api/projects/%E0%A4%A')).toMatchObject({
      status: 404,
      body: { error: 'project_not_found' },
    });
    expect(await anyone.get('/api/%E0%A4%A')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  test('unknown methods and far too long headers get a rejection in our form', async () => {
    const { port } = new URL(server.url);
    const raw = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
        let response = '';
        socket.on('data', (chunk) => (response += chunk.toString()));
        socket.on('end', () => resolve(response));
        socket.on('error', reject);
      });
    const host = 'Host: a\r\nConnection: close';
    for (const text of ['NONSENSE\r\n\r\n', `GET / HTTP/1.1\r\n${host}\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`]) {
      const [, body = ''] = (await raw(text)).split('\r\n\r\n');
      expect(problemOf(text.slice(0, 10), { status: 400, body: JSON.parse(body) as Values })).toBeNull();
    }
    const status = await new Promise((resolve) =>
      request(`${server.url}/api/votes`, { method: 'PROPFIND' }, (response) => resolve(response.statusCode)).end(),
    );
    expect(status).toBe(404);
  });
});
