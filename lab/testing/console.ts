import { afterAll, expect } from 'vitest';
import type { AuditEntry, SqlResult } from '#shared/contract/admin.ts';
import { startDatabase, TestOwner } from '../stack.ts';
import { signInAsAdmin } from './admin-panel.ts';
import { startServer } from './app.ts';

/**
 * A server whose SQL console an admin uses, on a cluster of its own: in the shared one, consoles of other test files
 * write the row of the same role, and PostgreSQL rejects one of two writes at once.
 */
export async function openConsole() {
  const owner = new TestOwner();
  const postgres = await startDatabase(owner, { durable: false, binDir: process.env['TEST_POSTGRES_BIN'] });
  const server = await startServer(postgres.url);
  afterAll(async () => {
    await server.close();
    await owner.end();
  });
  const { db } = server.services;
  const panel = await signInAsAdmin(server);
  /** 150017 for 15.17: the rights of roles and the messages about them differ between versions. */
  const version = Number(
    (await server.services.pool.query<{ n: string }>(`SELECT current_setting('server_version_num') AS n`)).rows[0]?.n,
  );

  async function run(sqlQuery: string, dryRun?: boolean): Promise<SqlResult> {
    const response = await panel.post<SqlResult>('/api/admin/execute-sql', { sqlQuery, ...(dryRun ? { dryRun } : {}) });
    if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(response.body)}`);
    return response.body;
  }

  async function lastAudit(): Promise<AuditEntry> {
    const { body } = await panel.get<AuditEntry[]>('/api/admin/audit');
    if (!body[0]) throw new Error('the audit log is empty');
    return body[0];
  }

  const countRunning = async (start: string) =>
    (await run(`SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '${start}%' AND state = 'active'`)).data[0]
      ?.n;

  async function expectAlive(): Promise<void> {
    expect((await panel.get('/readyz')).status).toBe(200);
    expect(await run('SELECT 1 AS one')).toMatchObject({ success: true, data: [{ one: 1 }] });
  }

  return { server, db, panel, version, run, lastAudit, countRunning, expectAlive };
}
