import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { castVote, newUser } from '#lab/testing/client.ts';
import { rawRequest } from '#lab/testing/raw.ts';

const server = await createTestApp({ undoWindowMs: 'as in production' });
const { db } = server.services;

/** Without the valid host that `rawRequest` adds. */
async function statusOf(lines: string[], version = '1.1'): Promise<string> {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (data) => chunks.push(data));
  socket.write([`GET /healthz HTTP/${version}`, ...lines, 'Connection: close', '', ''].join('\r\n'));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1').slice(9, 12);
}

test.each([
  ['two lines', ['Host: a', 'Host: b']],
  ['two equal lines', ['Host: a', 'hOST: a']],
  ['a list', ['Host: a, b']],
  ['a list without spaces', ['Host: a,b']],
  ['a space', ['Host: a b']],
  ['nothing', ['Host:']],
  ['spaces', ['Host:   ']],
  ['no host', []],
  ['a port alone', ['Host: :80']],
  ['a port of letters', ['Host: a:http']],
  ['a port that is none', ['Host: a:65536']],
  ['a user', ['Host: me@a']],
  ['an address', ['Host: http://a/']],
  ['a path', ['Host: a/b']],
  ['open brackets', ['Host: [::1']],
  ['brackets around a name', ['Host: [a]']],
  ['a quote', ['Host: "a"']],
  ['an escape', ['Host: a%20b']],
])('rejects a request whose Host is %s', async (_kind, lines) => {
  expect(await statusOf(lines)).toBe('400');
});

test('takes a host with or without a port, an IPv6 address, and HTTP/1.0 without a host', async () => {
  for (const host of [
    'a',
    'snapswipe.example:443',
    '127.0.0.1:3000',
    '[::1]:80',
    '[2001:db8::7]',
    'my_service:',
    'xn--bcher-kva.example.',
  ])
    expect([host, await statusOf([`Host: ${host}`])]).toEqual([host, '200']);
  expect(await statusOf([], '1.0')).toBe('200');
  expect(await statusOf(['Host: a', 'Host: a'], '1.0')).toBe('400');
});

test.each([{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }])(
  'takes an empty body as none where a body is optional, and names the missing field elsewhere: %o',
  async (length) => {
    const user = await newUser(server);
    const project = await insertProject(db);
    expect((await castVote(user, project)).status).toBe(200);
    const send = async (line: string, type: string): Promise<string> => {
      const head = [`${line} HTTP/1.1`, `cookie: ${user.cookie}`, `content-type: ${type}`];
      for (const [name, value] of Object.entries(length)) head.push(`${name}: ${value}`);
      const request = rawRequest(server.url, head, 'transfer-encoding' in length ? '0\r\n\r\n' : '');
      const status = (await request.statusLine).slice(9, 12);
      request.close();
      return status;
    };
    const types = ['application/json', 'application/json; charset=utf-8'];
    if ('content-length' in length) types.push('text/plain;charset=UTF-8', 'application/x-www-form-urlencoded');
    for (const type of types) {
      expect([type, await send('POST /api/votes', type)]).toEqual([type, '400']);
      expect([type, await send('POST /api/projects', type)]).toEqual([type, '400']);
    }
    expect(await send(`DELETE /api/votes/${project}`, types[0] ?? '')).toBe('200');
    expect(await send('POST /api/auth/logout', types.at(-1) ?? '')).toBe('200');
  },
);

test('asks browsers for https on subdomains only where HSTS_SUBDOMAINS is set', async () => {
  const strict = await startServer(server.databaseUrl, { env: { HSTS_SUBDOMAINS: 'true' } });
  const [one, other] = await Promise.all([server, strict].map(({ url }) => fetch(`${url}/healthz`)));
  await strict.close();
  expect(one?.headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(other?.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
});
