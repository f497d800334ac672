import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

export interface SchemaFile {
  /** Name in the database: '0001_schema.sql', 'functions/cast_votes.sql'. */
  name: string;
  sql: string;
  hash: string;
}

const DB_FOLDER = new URL('./', import.meta.url);
const hashOf = (...texts: string[]): string => createHash('sha256').update(texts.join('\n')).digest('hex');

export async function readMigrations(root: URL = DB_FOLDER): Promise<SchemaFile[]> {
  const folder = new URL('migrations/', root);
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, hash: hashOf(sql) };
    }),
  );
}

export interface FunctionFile extends SchemaFile {
  functionName: string;
}

/** `db/functions/`, each file after those whose functions it names. The hash covers them too, because an index depends on their content. */
export async function readFunctions(root: URL = DB_FOLDER): Promise<FunctionFile[]> {
  const folder = new URL('functions/', root);
  const texts = new Map<string, string>();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort())
    texts.set(file.slice(0, -'.sql'.length), await readFile(new URL(file, folder), 'utf8'));
  const ordered = new Map<string, FunctionFile>();
  const add = (functionName: string, path: string[]): void => {
    if (ordered.has(functionName) || path.includes(functionName)) return;
    const sql = texts.get(functionName) ?? '';
    const words = new Set(sql.replaceAll(/--.*/g, '').match(/\w+/g));
    const named = [...texts.keys()].filter((other) => other !== functionName && words.has(other));
    for (const other of named) add(other, [...path, functionName]);
    const hash = hashOf(sql, ...named.map((other) => ordered.get(other)?.hash ?? ''));
    ordered.set(functionName, { functionName, name: `functions/${functionName}.sql`, sql, hash });
  };
  for (const functionName of texts.keys()) add(functionName, []);
  return [...ordered.values()];
}
