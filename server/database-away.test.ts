import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startDatabase, TestOwner } from '#lab/stack.ts';
import { startServer } from '#lab/testing/app.ts';
import { makeFiles } from '#lab/testing/built-page.ts';
import { newUser } from '#lab/testing/client.ts';

const SHELL = '<!doctype html><html><head><!--head--></head><body><div id="root"></div></body></html>';

test('while the database is down every endpoint sends Retry-After, and a browser that opens a page gets one that tries again [R34]', async () => {
  const owner = new TestOwner();
  const postgres = await startDatabase(owner, { durable: false });
  try {
    const server = await startServer(postgres.url, { distDir: await makeFiles({ 'index.html': SHELL }) });
    const user = await newUser(server);
    // PostgreSQL rejects writes so where a primary has just become a replica; the server's settings keep this one writable.
    await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION USING ERRCODE = 'read_only_sql_transaction'; END $$`.execute(server.services.db);
    await sql`CREATE TRIGGER refuse BEFORE DELETE ON sessions EXECUTE FUNCTION refuse()`.execute(server.services.db);
    const write = await user.send('DELETE', '/api/auth/sessions');
    expect(write).toMatchObject({ status: 503, body: { error: 'database_away' } });
    const ready = async () => (await fetch(`${server.url}/readyz`)).json() as Promise<{ database: string }>;
    // A full disk, or a primary that has become a replica.
    await sql`CREATE FUNCTION refuse_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$`.execute(server.services.db);
    await sql`CREATE EVENT TRIGGER refuse_tables ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS') EXECUTE FUNCTION refuse_tables()`.execute(
      server.services.db,
    );
    expect(await ready()).toMatchObject({ ok: true, database: 'read only' });
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
    for (const path of ['/', '/leaderboard', '/projects/none']) {
      const page = await fetch(server.url + path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
      expect([path, page.status, page.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      const html = await page.text();
      expect(html).toContain('<h1>We are back in a moment</h1>');
      expect(html).toContain('<meta http-equiv="refresh" content="5" />');
    }
    await server.close();
  } finally {
    await owner.end();
  }
});
