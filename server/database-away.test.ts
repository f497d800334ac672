import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#dev/postgres/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { startServer } from './testing/app.ts';
import { newUser } from './testing/client.ts';

test('every endpoint sends Retry-After while the database is down [R34]', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-away-'));
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), durable: false });
  try {
    await migrate(postgres.url);
    const server = await startServer(postgres.url);
    const user = await newUser(server);
    await postgres.stop();
    const responses = [
      await user.post('/api/payments', { purpose: 'renew', projectId: 1 }),
      await user.get(`/api/users/${user.id}/stats`),
      await user.get('/api/projects'),
    ];
    for (const { status, body, headers } of responses) {
      expect({ status, body }).toMatchObject({ status: 503, body: { error: 'database_away' } });
      expect(headers.get('retry-after')).toBe('5');
    }
    await server.close();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
