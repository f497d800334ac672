import pg from 'pg';
import type { Role } from './manifest.ts';

/** Roles that have rights in this database or are members of one that has, except its owner and PostgreSQL's own. */
export async function readRoles(client: pg.ClientBase): Promise<Role[]> {
  const { rows } = await client.query<Role>(`
    WITH acls AS (
      SELECT relacl AS acl FROM pg_class WHERE relnamespace = 'public'::regnamespace
      UNION ALL SELECT proacl FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL SELECT nspacl FROM pg_namespace WHERE nspname = 'public'
    ), named AS (
      SELECT DISTINCT (aclexplode(acl)).grantee AS oid FROM acls WHERE acl IS NOT NULL
    ), wanted AS (
      SELECT oid FROM named UNION SELECT member FROM pg_auth_members WHERE roleid IN (SELECT oid FROM named)
    )
    SELECT r.rolname AS name, r.rolcanlogin AND r.rolname <> 'snapswipe_console' AS "logsIn",
      ARRAY(SELECT o.rolname::text FROM pg_auth_members m JOIN pg_roles o ON o.oid = m.roleid
        WHERE m.member = r.oid AND m.roleid IN (SELECT oid FROM named) ORDER BY 1) AS "memberOf"
    FROM pg_roles r JOIN wanted USING (oid)
    WHERE r.rolname !~ '^pg_' AND r.oid <> (SELECT datdba FROM pg_database WHERE datname = current_database()) AND NOT r.rolsuper
    ORDER BY 1`);
  return rows;
}

/** Creates missing roles without a login; returns those that had one. @throws Error with the statement to run */
export async function createMissingRoles(client: pg.ClientBase, roles: readonly Role[]): Promise<Role[]> {
  const { rows } = await client.query<{ name: string }>('SELECT rolname AS name FROM pg_roles');
  const existing = new Set(rows.map(({ name }) => name));
  const missing = roles.filter(({ name }) => !existing.has(name));
  for (const { name, memberOf } of missing) {
    const statements = [
      `CREATE ROLE ${pg.escapeIdentifier(name)} NOLOGIN`,
      ...memberOf.map((group) => `GRANT ${pg.escapeIdentifier(group)} TO ${pg.escapeIdentifier(name)}`),
    ];
    try {
      for (const statement of statements) await client.query(statement);
    } catch (error) {
      throw new Error(
        `The role ${name} is missing, and this user may not create it: run "${statements.join('; ')}" as one who may.`,
        { cause: error },
      );
    }
  }
  return missing.filter(({ logsIn }) => logsIn);
}
