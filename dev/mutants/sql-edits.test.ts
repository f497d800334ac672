import { describe, expect, test } from 'vitest';
import { applyEdit } from './edits.ts';
import { migrationEdits } from './migration-edits.ts';
import { sqlEdits } from './sql-edits.ts';
import { subjectOf } from './subjects.ts';

const faults = (sql: string, operator: string): string[] =>
  sqlEdits(sql)
    .filter((edit) => edit.operator === operator)
    .map((edit) => applyEdit(sql, edit));

describe('SQL texts', () => {
  test('comparisons move by one and turn around', () => {
    expect(faults('SELECT a WHERE b < c', 'sql boundary')).toEqual(['SELECT a WHERE b <= c']);
    expect(faults('SELECT a WHERE b < c', 'sql comparison')).toEqual(['SELECT a WHERE b > c']);
  });

  test('what SET assigns stays, what its CASE compares does not', () => {
    const sql = 'UPDATE a SET b = CASE WHEN c = d THEN 1 ELSE 2 END, e = f WHERE g = h';
    expect(faults(sql, 'sql equality')).toEqual([
      'UPDATE a SET b = CASE WHEN c <> d THEN 1 ELSE 2 END, e = f WHERE g = h',
      'UPDATE a SET b = CASE WHEN c = d THEN 1 ELSE 2 END, e = f WHERE g <> h',
    ]);
  });

  test('each term of a condition holds without being looked at', () => {
    expect(faults('DELETE FROM a WHERE b = 1 AND (c OR d BETWEEN 2 AND 3) LIMIT 4', 'sql condition')).toEqual([
      'DELETE FROM a WHERE true AND (c OR d BETWEEN 2 AND 3) LIMIT 4',
      'DELETE FROM a WHERE b = 1 AND true LIMIT 4',
      'DELETE FROM a WHERE b = 1 AND (false OR d BETWEEN 2 AND 3) LIMIT 4',
      'DELETE FROM a WHERE b = 1 AND (c OR false) LIMIT 4',
    ]);
  });

  test('AND becomes OR and OR becomes AND, the AND of BETWEEN stays', () => {
    expect(faults('SELECT a WHERE b AND c BETWEEN 1 AND 2', 'sql logic')).toEqual([
      'SELECT a WHERE b OR c BETWEEN 1 AND 2',
    ]);
    expect(faults('SELECT a WHERE b OR c', 'sql logic')).toEqual(['SELECT a WHERE b AND c']);
  });

  test('a star and a sign are arithmetic only between operands', () => {
    expect(faults('SELECT *, count(*), a.* FROM b', 'sql arithmetic')).toEqual([]);
    expect(faults('SELECT a * b, -1', 'sql arithmetic')).toEqual(['SELECT a / b, -1']);
  });

  test('statements of a function go, and so do locks', () => {
    const sql = 'BEGIN PERFORM notify(1); SELECT 2 FOR UPDATE SKIP LOCKED; END';
    expect(faults(sql, 'sql statement')).toEqual(['BEGIN NULL; SELECT 2 FOR UPDATE SKIP LOCKED; END']);
    expect(faults(sql, 'sql skip locked')).toEqual(['BEGIN PERFORM notify(1); SELECT 2 FOR UPDATE ; END']);
    expect(faults(sql, 'sql for update')).toEqual([]);
    expect(faults('SELECT 1 FOR UPDATE;', 'sql for update')).toEqual(['SELECT 1 ;']);
  });

  test('comments, texts and what is between dollars are not changed', () => {
    expect(sqlEdits(`-- a < b\n/* c = d */ SELECT 'e = f', $$ g > h $$`)).toEqual([]);
  });
});

describe('migrations', () => {
  const migrate = (...texts: string[]): string[] =>
    [...migrationEdits(texts.map((sql, index) => [`${index}.sql`, sql]))].flatMap(([name, edits]) =>
      edits.map(({ scope, operator }) => `${name} ${scope} ${operator}`),
    );
  const made = 'CREATE OR REPLACE FUNCTION a() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;';

  test('the bodies of functions count, whichever way they are written', () => {
    expect(migrate(made)).toEqual(['0.sql a sql number', '0.sql a sql number']);
    expect(migrate('CREATE FUNCTION b() RETURNS int RETURN 0;')).toEqual(['0.sql b sql number']);
    expect(migrate('CREATE FUNCTION c() RETURNS int BEGIN ATOMIC SELECT 0; END; SELECT 5;')).toEqual([
      '0.sql c sql number',
    ]);
  });

  test('a function that is replaced or dropped later does not', () => {
    expect(migrate(made, made)).toEqual(['1.sql a sql number', '1.sql a sql number']);
    expect(migrate(made, 'DROP FUNCTION a();')).toEqual([]);
  });

  test('the file of a function replaces what migrations made', () => {
    const found = migrationEdits([
      ['db/functions/a.sql', made],
      ['db/migrations/0001.sql', made],
    ]);
    expect(found.get('db/functions/a.sql')).toHaveLength(2);
    expect(found.get('db/migrations/0001.sql')).toEqual([]);
    expect(subjectOf('db/functions/a.sql')?.name).toBe('sql');
  });

  test('checks, unique indexes and triggers count; other indexes and changes of data do not', () => {
    expect(migrate('CREATE TABLE d (e int CHECK (e > f));')).toEqual([
      '0.sql d sql boundary',
      '0.sql d sql comparison',
    ]);
    expect(migrate('CREATE UNIQUE INDEX g ON h (i) WHERE j <> k;')).toEqual(['0.sql g sql equality']);
    expect(
      migrate('CREATE TRIGGER l AFTER UPDATE ON m FOR EACH ROW WHEN (NEW.n <> OLD.n) EXECUTE FUNCTION o();'),
    ).toEqual(['0.sql l sql equality']);
    expect(migrate('CREATE INDEX p ON q (r) WHERE s > 1; UPDATE t SET u = 1 WHERE v < 2;')).toEqual([]);
  });
});
