import { expect, test } from 'vitest';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import { createLog } from './log.ts';
import { rawRequest } from '../attacks/raw.ts';
import { createTestApp } from '../testing/app.ts';
import { newUser } from '../testing/client.ts';
import { ADMIN_PASSWORD, openDesk } from '../testing/desk.ts';

const SECRET = 'query-value-that-nobody-may-see';
let written = '';
const log = createLog('info', { write: (line) => void (written += line) });
const server = await createTestApp({ env: { LOG_LEVEL: 'info' }, log });

test('lines of requests hold method and path, and no cookie, token, signature, password or query value', async () => {
  const desk = await openDesk(server);
  const user = await newUser(server);
  const signature = Buffer.from(`${SECRET}-signature`).toString('base64');
  await user.post('/api/auth/wallet', { walletAddress: user.address, nonce: SECRET, signature });
  await desk.get(`/api/admin/withdrawals?search=${SECRET}`);
  for (const address of [
    `/api/projects?token=${SECRET}`,
    `/api/nothing?token=${SECRET}`,
    `/nothing?${SECRET}`,
    `/api/projects/%E0%A4%A?token=${SECRET}`,
    `/api/projects/${'a'.repeat(300)}?token=${SECRET}`,
    `/api/projects/leaderboard/all?limit=${SECRET}`,
  ])
    await user.get(address, { authorization: `Bearer ${SECRET}`, referer: `http://snapswipe.test/?${SECRET}` });
  await user.post('/api/votes', `{"userId": "${SECRET}`);
  const absolute = rawRequest(server.url, [`GET http://snapswipe.test/api/config?token=${SECRET} HTTP/1.1`], '');
  expect(await absolute.statusLine).toContain(' 200 ');
  absolute.close();

  const lines = written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { req?: Record<string, unknown> });
  const requests = lines.flatMap(({ req }) => (req ? [req] : []));
  expect(requests).toContainEqual({ method: 'GET', path: '/api/admin/withdrawals', remoteAddress: '127.0.0.1' });
  expect(requests).toContainEqual({ method: 'GET', path: '/api/nothing', remoteAddress: '127.0.0.1' });
  expect(requests).toContainEqual({ method: 'GET', path: '/api/config', remoteAddress: '127.0.0.1' });
  const secrets = [
    SECRET,
    signature,
    ADMIN_PASSWORD,
    desk.token,
    ...[user, desk.admin].map(({ cookie }) => cookie.split('=')[1] ?? ''),
  ];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect(written).not.toContain(secret);
  }
  expect(written).not.toContain(ADMIN_TOKEN_HEADER);
});
