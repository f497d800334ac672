import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
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
    // A primary that has just become a replica: what still leads to it can read, and writes nothing.
    const { db } = server.services;
    const name = sql.ref(new URL(postgres.url).pathname.slice(1));
    await sql`ALTER DATABASE ${name} SET default_transaction_read_only = on`.execute(db);
    // Its own connection last: a statement that ends its own stops there, and leaves those after it in the list.
    await db.connection().execute(async (connection) => {
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(connection);
      await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(connection).catch(() => undefined);
    });
    await vi.waitFor(async () => {
      const { rows } = await sql<{ yes: string }>`SELECT current_setting('transaction_read_only') AS yes`.execute(db);
      expect(rows).toEqual([{ yes: 'on' }]);
    }, 20_000);
    const write = await user.send('DELETE', '/api/auth/sessions');
    expect(write).toMatchObject({ status: 503, body: { error: 'database_away' } });
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
