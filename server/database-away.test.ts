import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startDatabase, TestOwner } from '#lab/stack.ts';
import { startServer } from '#lab/testing/app.ts';
import { newUser } from '#lab/testing/client.ts';

test('every endpoint sends Retry-After while the database is down [R34]', async () => {
  const owner = new TestOwner();
  const postgres = await startDatabase(owner, { durable: false });
  try {
    const server = await startServer(postgres.url);
    const user = await newUser(server);
    // PostgreSQL rejects writes so where a primary has just become a replica; the server's settings keep this one writable.
    await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION USING ERRCODE = 'read_only_sql_transaction'; END $$`.execute(server.services.db);
    await sql`CREATE TRIGGER refuse BEFORE DELETE ON sessions EXECUTE FUNCTION refuse()`.execute(server.services.db);
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
    await owner.end();
  }
});
