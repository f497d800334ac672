import pg from 'pg';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { STATEMENT_TIMEOUT_MS } from './client.ts';

/**
 * Gives this login a statement timeout in this database that does not depend on how the connection is opened: a pooler refuses it
 * as a start-up parameter, and in transaction mode a SET of ours would stay behind on the connection of another client. One
 * that is set already, for the role, the database or the cluster, stays as it is. Needs a direct connection.
 */
export async function keepStatementTimeout(directUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: directUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('BEGIN');
    // Two servers that start together would write the same catalogue row at once.
    await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.statementTimeout]);
    await client.query(`DO $$ BEGIN
      IF NOT EXISTS (
        SELECT 1 FROM pg_db_role_setting
        CROSS JOIN unnest(setconfig) AS setting
        WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
          AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = session_user))
          AND setting LIKE 'statement_timeout=%'
      ) AND (SELECT reset_val FROM pg_settings WHERE name = 'statement_timeout') = '0' THEN
        EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = ${STATEMENT_TIMEOUT_MS}', session_user, current_database());
      END IF;
    END $$`);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
