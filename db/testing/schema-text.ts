/** Writes `db/schema.sql` from the catalog. Rejected: `pg_dump`, which the embedded packages do not ship and whose version must match the server's. */
import type { ClientBase } from 'pg';

/** Only our own objects: those of an extension are not part of the schema. */
const IN_PUBLIC = `= 'public'::regnamespace`;

const TYPES = `
  SELECT format(E'CREATE TYPE %I AS ENUM (\\n  %s\\n);', t.typname, string_agg(quote_literal(e.enumlabel), E',\\n  ' ORDER BY e.enumsortorder))
  FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid WHERE t.typnamespace ${IN_PUBLIC} GROUP BY t.typname ORDER BY t.typname COLLATE "C"`;

/** NOT NULL is printed with its column. Other constraints are ordered by kind: key, unique, check, reference. */
const TABLES = `
  SELECT format(E'CREATE TABLE %I (\\n  %s\\n)%s;', c.relname, concat_ws(E',\\n  ', (
      SELECT string_agg(concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attidentity = 'a' THEN 'GENERATED ALWAYS AS IDENTITY' END, CASE WHEN a.attnotnull THEN 'NOT NULL' END,
        CASE WHEN a.attgenerated = 's' THEN format('GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, d.adrelid, true))
          ELSE 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid, true) END), E',\\n  ' ORDER BY a.attnum)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    ), (
      SELECT string_agg(pg_get_constraintdef(n.oid, true), E',\\n  ' ORDER BY position(n.contype IN 'pucf'), n.conname COLLATE "C")
      FROM pg_constraint n WHERE n.conrelid = c.oid AND n.contype IN ('p', 'u', 'c', 'f')
    )), ' WITH (' || array_to_string(c.reloptions, ', ') || ')')
    || coalesce(E'\\n' || (
      SELECT string_agg(pg_get_indexdef(i.indexrelid, 0, true) || ';', E'\\n' ORDER BY i.indexrelid::regclass::text COLLATE "C") FROM pg_index i
      WHERE i.indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint n WHERE n.conindid = i.indexrelid AND n.contype IN ('p', 'u'))
    ), '')
    || coalesce(E'\\n' || (
      SELECT string_agg(pg_get_triggerdef(t.oid, true) || ';', E'\\n' ORDER BY t.tgname COLLATE "C") FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
    ), '')
    || coalesce(E'\\n' || (
      SELECT string_agg(concat_ws(' ', format('CREATE POLICY %I ON %I FOR %s', y.policyname, c.relname, y.cmd), 'USING (' || y.qual || ')',
        'WITH CHECK (' || y.with_check || ')') || ';', E'\\n' ORDER BY y.policyname) FROM pg_policies y WHERE y.tablename = c.relname
    ), '')
    || coalesce(E'\\n' || (
      SELECT string_agg(format('GRANT %s ON %I TO snapswipe_console;', privileges, c.relname), '') FROM (
        SELECT string_agg(g.privilege_type, ', ' ORDER BY position(g.privilege_type IN 'SELECT INSERT UPDATE DELETE')) AS privileges
        FROM aclexplode(c.relacl) g WHERE g.grantee = to_regrole('snapswipe_console') GROUP BY g.grantee) granted
    ), '')
  FROM pg_class c WHERE c.relnamespace ${IN_PUBLIC} AND c.relkind = 'r' ORDER BY c.relname COLLATE "C"`;

const VIEWS = `
  SELECT format(E'CREATE VIEW %I AS\\n%s', c.relname, pg_get_viewdef(c.oid, true)) FROM pg_class c
  WHERE c.relnamespace ${IN_PUBLIC} AND c.relkind = 'v' ORDER BY c.relname COLLATE "C"`;

const FUNCTIONS = `
  SELECT '-- ' || p.oid::regprocedure || ' → ' || pg_get_function_result(p.oid) FROM pg_proc p
  WHERE p.pronamespace ${IN_PUBLIC} AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  ORDER BY p.proname COLLATE "C"`;

const HEADER = `-- The schema as all migrations and functions leave it: to be read, never run. Tables by name; the reasons for their form are in
-- db/migrations/, the bodies of functions in db/functions/. \`npx vitest run --project http db/migrate -u\` writes it again.`;

export async function schemaText(client: ClientBase): Promise<string> {
  const parts: string[] = [];
  for (const query of [TYPES, TABLES, VIEWS]) {
    const { rows } = await client.query<[string]>({ text: query, rowMode: 'array' });
    parts.push(...rows.map(([statement]) => statement));
  }
  const { rows } = await client.query<[string]>({ text: FUNCTIONS, rowMode: 'array' });
  return `${[HEADER, ...parts, rows.map(([line]) => line).join('\n')].join('\n\n')}\n`;
}
