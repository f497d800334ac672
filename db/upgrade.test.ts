import { expect, test } from 'vitest';
import { readMigrations } from './schema-files.ts';

/*
 * Servers of the previous version run against the schema of the next one during a rollout (decision 36). A migration
 * may add, but not remove what they use: that is for a later version, whose migration explains it in a comment: `--
 * contract: why nothing uses it`.
 */

/** The migration of the first release: nothing ran before it. */
const FIRST = '0001_schema.sql';

const CONTRACTING: [what: string, pattern: RegExp][] = [
  ['drops a table, a view, a type, a function, or a column', /\bDROP\s+(?:TABLE|VIEW|TYPE|SCHEMA|FUNCTION|COLUMN)\b/i],
  ['renames', /\bRENAME\b/i],
  ['changes the type of a column', /\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/i],
  ['forbids NULL in a column that there was', /\bSET\s+NOT\s+NULL\b/i],
  ['takes a default away', /\bDROP\s+DEFAULT\b/i],
  [
    'adds a column that inserts of the version before leave empty',
    /\bADD\s+COLUMN\s+(?![^,;]*\b(?:DEFAULT|GENERATED)\b)[^,;]*\bNOT\s+NULL\b/i,
  ],
  ['empties a table', /\bTRUNCATE\b/i],
];

/** Removals in a migration, without its comments and texts. */
function takesAway(sql: string): string[] {
  if (/^-- contract: \S/m.test(sql)) return [];
  const statements = sql.replaceAll(/--.*$/gm, '').replaceAll(/'(?:[^']|'')*'/g, "''");
  return CONTRACTING.filter(([, pattern]) => pattern.test(statements)).map(([what]) => what);
}

test('a migration removes nothing that servers of the previous version use', async () => {
  const migrations = (await readMigrations()).filter(({ name }) => name > FIRST);
  const found = migrations.flatMap(({ name, sql }) => takesAway(sql).map((what) => `${name} ${what}`));
  expect(found).toEqual([]);
});

test.each([
  ['ALTER TABLE users DROP COLUMN username;', 1],
  ['drop table users', 1],
  ['DROP FUNCTION cast_votes(bigint[]);', 1],
  ['ALTER TABLE users RENAME username TO name;', 1],
  ['ALTER TABLE users RENAME COLUMN username TO name;', 1],
  ['ALTER TABLE votes ALTER COLUMN project_id TYPE bigint;', 1],
  ['ALTER TABLE votes ALTER project_id SET DATA TYPE bigint;', 1],
  ['ALTER TABLE payments ALTER COLUMN recipient SET NOT NULL;', 1],
  ['ALTER TABLE users ADD COLUMN role text NOT NULL;', 1],
  ["ALTER TABLE users ADD COLUMN role text NOT NULL CHECK (role IN ('a')), ADD COLUMN n int NOT NULL DEFAULT 0;", 1],
  ["ALTER TABLE users ADD COLUMN role text NOT NULL DEFAULT 'none', ADD COLUMN since date;", 0],
  ['ALTER TABLE users ADD COLUMN id2 bigint GENERATED ALWAYS AS IDENTITY NOT NULL;', 0],
  ['CREATE TABLE roles (name text NOT NULL PRIMARY KEY); -- DROP TABLE users', 0],
  ["COMMENT ON TABLE users IS 'never DROP TABLE it';", 0],
  ['-- contract: nothing has read it since 0.2.0\nALTER TABLE users DROP COLUMN username;', 0],
])('recognizes a removal: %s', (sql, found) => {
  expect(takesAway(sql)).toHaveLength(found);
});
